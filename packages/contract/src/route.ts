import type { Static, TSchema } from 'typebox'
import type { Envelope, Enveloped } from './envelope.ts'
import type { Role, Scope } from './schema/token.ts'

/** Who is asked for what: a surface owns its credential, limits, CORS and error shape (specification 5). */
export type Surface =
  | 'user'
  | 'probe'
  | 'public'
  | 'session'
  | 'login'
  | 'registration'
  | 'invitation'
  | 'subscription'
  | 'otlp'
  | 'rum'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One entry of the contract: what is validated, typed, documented and called is this. */
export interface Route {
  method: Method
  /** Fastify's and OpenAPI's common ground: `/v1/monitors/{id}`. */
  path: string
  surface: Surface
  /** Weakest role that may; a stranger to the team gets 404 before this is asked. */
  role?: Role
  /** Scope an API token needs beside its role. */
  scope?: Scope
  summary: string
  description?: string
  /** Query parameters, each optional. */
  query?: TSchema
  body?: TSchema
  /** Bytes that the body may have, where one mebibyte is not enough. */
  largestBody?: number
  envelope: Envelope
  /** What `data` holds; of one element for lists; the whole answer where the envelope is bare. */
  reply: TSchema
  /** Message of a successful write: "Monitor created". */
  message?: string
  /** Media type of an answer that is not JSON. */
  produces?: string
  /** A POST that changes nothing: it may be sent again as it is, and its answer is not kept. */
  changesNothing?: true
  /** It is sent by a form of a page, not as JSON. */
  takes?: 'application/x-www-form-urlencoded'
}

export const route = <const R extends Route>(entry: R): R => entry

export type Routes = Record<string, Route>

/** Names in `{}` of a path. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never

export type ParamsOf<R extends Route> = Record<PathParams<R['path']>, string | number>
export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : undefined
export type QueryOf<R extends Route> = R['query'] extends TSchema ? Static<R['query']> : Record<never, never>
export type DataOf<R extends Route> = Static<R['reply']>
export type ReplyOf<R extends Route> = Enveloped<R['envelope'], DataOf<R>>
