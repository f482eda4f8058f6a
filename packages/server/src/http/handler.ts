import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type {
  BodyOf,
  DataOf,
  FieldErrors,
  PathParams,
  QueryOf,
  Role,
  Route,
  Routes,
  Scope,
  SliceMeta,
} from '@watchpost/contract'
import type { Context } from '../context.ts'

/** Who asks on the User API: a token, or somebody who is logged in. */
export interface UserCaller {
  team_id: number
  /** What asks, by a name no other has: `token 7`, `user 3`. */
  as: string
  /** The person, or the maker of the token; null where no person made it. */
  user_id: number | null
  /** What it may do now: of a token never more than its maker may. */
  role: Role
  scopes: readonly Scope[]
  session: LoggedIn | undefined
  /** The token that asks, where no person is logged in. */
  token?: { id: number; name: string }
}

/** A log-in. */
export interface LoggedIn {
  /** Under which it is kept. */
  hash: string
  /** Goes with its writes. */
  csrf: string
  user_id: number
  email: string
  team_id: number
  role: Role
  created_at: number
  expires_at: number
}

/** Somebody at the door, logged in or not. */
export interface Visitor {
  /** Whose page asks; on the way in only if the page has proven to be ours. */
  session: LoggedIn | undefined
  /** Under which the log-in of the browser is kept, proven or not: the next one ends it. */
  previous: string | undefined
  cookie: {
    /** @param expiresAt when the browser throws it away, epoch ms */
    set(token: string, expiresAt: number): void
    clear(): void
  }
  /**
   * Counts a password tried for an account; throws `rate_limit_exceeded`.
   * @returns takes it back: the password was right
   */
  attempt(email: string): () => void
}

/** Somebody who is logged in. */
export interface SessionCaller extends Visitor {
  session: LoggedIn
}

/** A probe; team 0 is one of the instance, which serves every team. */
export interface ProbeCaller {
  team_id: number
  probe_id: number
  region: string
}

export type CallerOf<R extends Route> = R['surface'] extends 'user'
  ? UserCaller
  : R['surface'] extends 'probe'
    ? ProbeCaller
    : R['surface'] extends 'session'
      ? SessionCaller
      : R['surface'] extends 'login' | 'registration' | 'invitation'
        ? Visitor
        : undefined

/** A request as a handler sees it: whoever asks is known, what was sent has been validated. */
export interface Ask<R extends Route> {
  params: Record<PathParams<R['path']>, string>
  headers: IncomingHttpHeaders
  /** Whether the credential is still good, for what lasts longer than an answer. */
  stillMay(): Promise<boolean>
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean
  query: QueryOf<R>
  body: BodyOf<R>
  caller: CallerOf<R>
  context: Context
}

/** An answer that is not JSON, and the headers it travels with. */
export interface Page {
  body: string | Buffer | Readable
  headers: Record<string, string>
  /** In place of the one that `produces` names. */
  media?: string
  status?: number
  /** Of the body, whichever way it is coded: whoever holds it is told so. */
  tag?: string
  /** The same body, compressed, for who can read that. */
  gzip?: Buffer
}

/** An answer that was prepared before it was asked for, or by another thread: bytes, its envelope included, and their entity tag. */
export class Prepared {
  readonly body: Buffer
  readonly tag: string
  constructor(body: Buffer, tag: string) {
    this.body = body
    this.tag = tag
  }
}

/** What a handler gives back: data alone; the envelope is the contract's. */
export type Answer<R extends Route> = R extends { produces: string }
  ? Page
  : R['envelope'] extends 'list'
    ? { rows: DataOf<R>[]; total: number }
    : R['envelope'] extends 'slice'
      ? { rows: DataOf<R>[]; meta: SliceMeta }
      : R['envelope'] extends 'deleted'
        ? undefined
        : R['envelope'] extends 'bare' | 'item'
          ? DataOf<R> | Prepared
          : DataOf<R>

/** The part of a request that is known before its body is read. */
export type Head<R extends Route> = Omit<Ask<R>, 'body' | 'query'>

export interface Handler<R extends Route> {
  /** The resource of the path, if the caller may know of it: undefined is 404, and comes before 403, 400 and 422. */
  find?(head: Head<R>): Promise<object | undefined>
  /** What no schema can say about the body; asked although the schema may have found faults, so that all are told. */
  judge?(body: Partial<BodyOf<R>>, found: object | undefined): FieldErrors
  /** Counts the changes of what was found; `If-Match` is held to it. Without one it is held to the bytes of a read. */
  version?(found: object): number
  // A method, not a property: the handlers of one table differ in what they have found.
  handle(ask: Ask<R>, found: never): Promise<Answer<R>>
}

/** A handler for each route of a table: one that is missing, or answers another shape, does not compile. */
export type Handlers<T extends Routes> = { [N in keyof T]: Handler<T[N]> | Handler<T[N]>['handle'] }

/** Ties what is found to what is handled, by type. */
export function found<R extends Route, F extends object>(handler: {
  find(head: Head<R>): Promise<F | undefined>
  judge?(body: Partial<BodyOf<R>>, found: F | undefined): FieldErrors
  version?(found: F): number
  handle(ask: Ask<R>, found: F): Promise<Answer<R>>
}): Handler<R> {
  return handler as unknown as Handler<R>
}
