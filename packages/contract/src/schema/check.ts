import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'

/** Why a target failed. Stable: scripts and alert rules compare these words. */
export const targetErrorKinds = [
  'dns_nxdomain',
  'dns_servfail',
  'dns_refused',
  'dns_timeout',
  'dns_no_address',
  'dns_rcode',
  'dns_answer',
  'connect_refused',
  'connect_reset',
  'connect_timeout',
  'connect_unreachable',
  'tls_version',
  'tls_handshake',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_wrong_host',
  'tls_self_signed',
  'tls_untrusted',
  'tls_incomplete_chain',
  'tls_expires_soon',
  'tls_weak',
  'tls_issuer',
  'http_status',
  'http_redirect_loop',
  'http_too_many_redirects',
  'http_downgrade',
  'http_truncated',
  'http_invalid',
  'http_too_large',
  'first_byte_timeout',
  'timeout',
  'too_slow',
  'keyword_missing',
  'keyword_forbidden',
  'assertion_failed',
  'empty_body',
  'tcp_expect',
  'packet_loss',
  'address_refused',
] as const

/** Why a probe could not look. Its own trouble, so never a failure of the target. */
export const probeErrorKinds = [
  'probe_permission',
  'probe_network',
  'probe_resources',
  'probe_resolver',
  'probe_internal',
] as const

export const errorKinds = [...targetErrorKinds, ...probeErrorKinds] as const
export type TargetErrorKind = (typeof targetErrorKinds)[number]
export type ProbeErrorKind = (typeof probeErrorKinds)[number]
export type ErrorKind = TargetErrorKind | ProbeErrorKind

/** What one look at a target found. `error`: the probe could not look, which says nothing of the target. */
export const outcomeStatuses = ['online', 'offline', 'error'] as const
export type OutcomeStatus = (typeof outcomeStatuses)[number]

/** Milliseconds spent in each phase of a check; a phase that did not happen is absent. */
export const Timings = Type.Object(
  {
    resolve_ms: Type.Optional(Type.Number({ minimum: 0 })),
    connect_ms: Type.Optional(Type.Number({ minimum: 0 })),
    tls_ms: Type.Optional(Type.Number({ minimum: 0 })),
    first_byte_ms: Type.Optional(Type.Number({ minimum: 0 })),
    transfer_ms: Type.Optional(Type.Number({ minimum: 0 })),
  },
  { title: 'Timings', description: 'Milliseconds spent in each phase; a phase that did not happen is absent.' },
)
export type Timings = Static<typeof Timings>

/** What a check of any type returns, and what `watchpost-probe check -o json` prints. */
export interface Outcome {
  status: OutcomeStatus
  /** Milliseconds from the start of the check to its answer; null when there was none. */
  response_time_ms: number | null
  error_kind: ErrorKind | null
  /** One sentence for people, without secrets. */
  error_message: string | null
  timings: Timings
  /** What was seen: address used, status code, certificate, answers; never a secret. */
  details: Record<string, unknown>
}

/** Answer of a check that is made to try a target: nothing is kept of it. */
export const CheckOutcome = Type.Object(
  {
    status: Word(outcomeStatuses),
    response_time_ms: Nullable(Type.Number({ minimum: 0 })),
    error_kind: Nullable(Word(errorKinds)),
    error_message: Nullable(Type.String({ description: 'One sentence for people.' })),
    timings: Timings,
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What was seen: address used, status code, certificate, answers.',
    }),
  },
  { title: 'CheckOutcome' },
)
export type CheckOutcome = Static<typeof CheckOutcome>

/** Check result submitted by a probe (specification 2.5 and 4.4, ruling 11). Unknown fields are ignored. */
export const CheckResult = Type.Object(
  {
    monitor_id: Id(),
    status: Word(['online', 'offline', 'up', 'down', 'error'], {
      description:
        'What the probe saw; `up` and `down` mean the same as `online` and `offline`. ' +
        '`error`: the probe could not look, which is never counted against the target.',
    }),
    response_time_ms: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 3_600_000 }))),
    run_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The same run submitted twice is one check. Without it a result counts as a run of its own.',
      }),
    ),
    checked_at: Type.Optional(Timestamp({ description: 'When the check started; the time of arrival if absent.' })),
    error_kind: Type.Optional(Nullable(Word(errorKinds))),
    error_message: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
    timings: Type.Optional(Timings),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'CheckResult', additionalProperties: true },
)
export type CheckResult = Static<typeof CheckResult>

/** One entry of a monitor's check history. */
export const CheckRecord = Type.Object(
  {
    run_id: Type.String(),
    monitor_id: Id(),
    status: Word(outcomeStatuses),
    response_time_ms: Nullable(Type.Number()),
    checked_at: Timestamp(),
    region: Nullable(Type.String()),
    probe: Nullable(Type.String({ description: 'Name of the probe that looked.' })),
    error_kind: Nullable(Word(errorKinds)),
    error_message: Nullable(Type.String()),
    timings: Nullable(Timings),
    trace_id: Nullable(
      Type.String({
        description:
          'Trace that the request of an HTTP check belonged to (`traceparent`): the first 32 hexadecimal digits of the ' +
          'SHA-256 of `run_id`.',
      }),
    ),
  },
  { title: 'CheckRecord' },
)
export type CheckRecord = Static<typeof CheckRecord>
