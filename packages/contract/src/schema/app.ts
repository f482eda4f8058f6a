import Type, { type Static } from 'typebox'
import { Id, Name, Nullable, Timestamp, Word } from './scalar.ts'

const name = Name({ examples: ['Shop'] })
const allowed_origins = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: 100,
  default: [],
  description:
    'Origins whose pages may use the RUM key, such as https://shop.example.com, or https://*.example.com for every ' +
    'subdomain. Empty: any page may.',
  examples: [['https://shop.example.com', 'https://*.example.com']],
})

/** Body of create and of PUT: what is absent takes its default (ruling 10). */
export const AppWrite = Type.Object(
  { name, allowed_origins: Type.Optional(allowed_origins) },
  { title: 'AppWrite', additionalProperties: false },
)
export type AppWrite = Static<typeof AppWrite>

/** Body of PATCH: what is absent stays. */
export const AppPatch = Type.Partial(AppWrite, { title: 'AppPatch', additionalProperties: false })
export type AppPatch = Static<typeof AppPatch>

/** An observability app in a list: everything but its keys. */
export const AppSummary = Type.Object(
  { id: Id(), name, allowed_origins, created_at: Timestamp(), updated_at: Timestamp() },
  { title: 'AppSummary' },
)
export type AppSummary = Static<typeof AppSummary>

/** An observability app with what its telemetry is sent with (specification 2.5). */
export const App = Type.Object(
  {
    id: Id(),
    name,
    app_token: Nullable(
      Type.String({
        description: 'For OTLP, in the header X-App-Token, `wp_app_…`; null for a viewer: it is a secret.',
      }),
    ),
    api_key: Type.String({ description: 'For RUM, in the query, `wp_rum_…`; every visitor of a page can read it.' }),
    allowed_origins,
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'App' },
)
export type App = Static<typeof App>

/** What an app's telemetry is sent with: by exporters, and by browsers. */
export const appKeys = ['app_token', 'api_key'] as const
export type AppKey = (typeof appKeys)[number]

export const AppRotate = Type.Object(
  { key: Word(appKeys, { description: 'Which of the two is made anew.' }) },
  { title: 'AppRotate', additionalProperties: false },
)
