import {
  ApiError,
  type App,
  type AppKey,
  type AppPatch,
  type AppSummary,
  appRoutes,
  type FieldErrors,
} from '@watchpost/contract'
import {
  type AppRow,
  appById,
  appColumns,
  ConflictError,
  deleteApp,
  insertApp,
  rotateAppKey,
  rotateAppToken,
  type Step,
  updateApp,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { parseAllowedOrigin } from '../domain/origin.ts'
import { mayActAs } from '../domain/roles.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { hashToken, newToken } from '../secrets.ts'
import { pathId, takeId } from './ids.ts'
import { iso } from './time.ts'

export const appHandlers: Handlers<typeof appRoutes> = {
  async listApps({ query, caller, context }) {
    const { rows, total } = await listRows<AppRow>(context.db, query, {
      route: appRoutes.listApps,
      name: 'app.list',
      columns: columnsByName(appColumns),
      from: 'apps',
      where: 'team_id = @team_id',
      params: { team_id: caller.team_id },
    })
    return { rows: rows.map(summary), total }
  },

  getApp: found({ find: findApp, handle: async ({ caller, context }, app) => appView(context, caller, app) }),

  createApp: {
    judge: originErrors,
    async handle({ body, caller, context }) {
      const { team_id } = caller
      const id = await takeId(context.db, 'app')
      const now = context.now()
      const token = sealedKey(context, { team_id, id }, 'app_token')
      const key = sealedKey(context, { team_id, id }, 'api_key')
      const row = {
        team_id,
        id,
        name: body.name,
        allowed_origins: originsOf(body) ?? '[]',
        app_token: token.sealed,
        api_key: key.sealed,
        created_at: now,
        updated_at: now,
      }
      const params = { ...row, app_token_hash: token.hash, api_key_hash: key.hash }
      await context.db.commit([{ query: insertApp, params }])
      return appView(context, caller, { ...row, version: 1 })
    },
  },

  replaceApp: found({
    find: findApp,
    judge: originErrors,
    handle: ({ body, caller, context }, app) =>
      change(context, caller, app, current => {
        const allowed_origins = originsOf(body) ?? '[]'
        return settingsStep({ ...current, name: body.name, allowed_origins }, context.now())
      }),
  }),

  updateApp: found({
    find: findApp,
    judge: originErrors,
    handle: ({ body, caller, context }, app) =>
      change(context, caller, app, current => {
        const { name = current.name } = body
        const allowed_origins = originsOf(body) ?? current.allowed_origins
        return settingsStep({ ...current, name, allowed_origins }, context.now())
      }),
  }),

  deleteApp: found({
    find: findApp,
    async handle({ context }, { team_id, id }) {
      await context.db.commit(deleteApp.map(query => ({ query, params: { team_id, id } })))
      return undefined
    },
  }),

  rotateAppKey: found({
    find: findApp,
    handle: ({ body, caller, context }, app) =>
      change(context, caller, app, ({ team_id, id, version }) => {
        const { hash, sealed } = sealedKey(context, app, body.key)
        const params = { team_id, id, version, hash, updated_at: context.now() }
        return body.key === 'app_token'
          ? { query: rotateAppToken, params: { ...params, app_token: sealed } }
          : { query: rotateAppKey, params: { ...params, api_key: sealed } }
      }),
  }),
}

interface OfApp {
  params: { id: string }
  caller: UserCaller
  context: Context
}

/** The app of a path, if it is the caller's team's. */
export async function findApp({ params, caller, context }: OfApp): Promise<AppRow | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : context.db.one(appById, { team_id: caller.team_id, id })
}

/** What no schema can say: that an entry is an origin. Asked of bodies that may have other faults too. */
function originErrors(body: AppPatch): FieldErrors {
  const entries: unknown[] = Array.isArray(body.allowed_origins) ? body.allowed_origins : []
  const wrong = entries.find(entry => typeof entry === 'string' && parseAllowedOrigin(entry) === undefined)
  if (wrong === undefined) return {}
  const mend = 'give scheme, host and port only, such as https://shop.example.com or https://*.example.com'
  return { allowed_origins: `${JSON.stringify(wrong)} is no origin; ${mend}` }
}

/** As it is kept: each origin once, in its one spelling; undefined where the body is silent. */
function originsOf(body: AppPatch): string | undefined {
  return body.allowed_origins && JSON.stringify([...new Set(body.allowed_origins.map(parseAllowedOrigin))])
}

function settingsStep(row: AppRow, now: number): Step {
  const { team_id, id, version, name, allowed_origins } = row
  return { query: updateApp, params: { team_id, id, version, name, allowed_origins, updated_at: now } }
}

/** A new key: what it is found by, and what it is shown from. */
function sealedKey(context: Context, app: Pick<AppRow, 'team_id' | 'id'>, key: AppKey) {
  const text = newToken(key === 'app_token' ? 'app' : 'rum')
  return { hash: hashToken(text), sealed: context.keyring.seal(text, appKeyPurpose(app, key)) }
}

export const appKeyPurpose = ({ team_id, id }: Pick<AppRow, 'team_id' | 'id'>, key: AppKey) =>
  `app:${team_id}:${id}:${key}`

/** Times a change is decided anew because somebody else changed the app in between. */
const attempts = 20

/** @param step what is written, from what the app is: asked again when it is another by now */
async function change(context: Context, caller: UserCaller, app: AppRow, step: (app: AppRow) => Step): Promise<App> {
  const { team_id, id } = app
  let before = app
  for (let attempt = 1; ; attempt++) {
    try {
      await context.db.commit([{ ...step(before), expect: 1 }])
      break
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === attempts) throw error
    }
    const current = await context.db.one(appById, { team_id, id })
    if (current === undefined) throw new ApiError('not_found', 'Not found')
    before = current
  }
  const after = await context.db.one(appById, { team_id, id })
  if (after === undefined) throw new ApiError('not_found', 'Not found')
  return appView(context, caller, after)
}

function summary(row: Omit<AppRow, 'app_token' | 'api_key'>): AppSummary {
  return {
    id: row.id,
    name: row.name,
    allowed_origins: JSON.parse(row.allowed_origins),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

/** The app token is a secret, which a viewer never sees (ruling 16); the RUM key stands in every page that uses it. */
function appView({ keyring }: Context, { role }: UserCaller, row: AppRow): App {
  const { id, name, ...rest } = summary(row)
  return {
    id,
    name,
    app_token: mayActAs(role, 'member') ? keyring.open(row.app_token, appKeyPurpose(row, 'app_token')) : null,
    api_key: keyring.open(row.api_key, appKeyPurpose(row, 'api_key')),
    ...rest,
  }
}
