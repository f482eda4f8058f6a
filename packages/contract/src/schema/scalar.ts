import Type, { type TSchema } from 'typebox'

/** A value that may be null (`type: [..., "null"]` in the OpenAPI document). */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** One of a fixed list of lowercase words (specification, section 4). */
export const Word = <const Words extends readonly string[]>(words: Words, options: object = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })

/** Numeric id of a resource. */
export const Id = (options: object = {}) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1], ...options })

/** ISO 8601 in UTC with milliseconds; the only shape a time has on the wire (specification, section 4). */
export const Timestamp = (options: object = {}) =>
  Type.String({
    format: 'date-time',
    // A leap second is a date-time by the book, and no time to Date.parse.
    pattern: ':[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
    examples: ['2026-11-21T09:30:00.000Z'],
    ...options,
  })

/** Name that a person gives to a thing of theirs. */
export const Name = (options: object = {}) => Type.String({ minLength: 1, maxLength: 255, ...options })

/** Source of the files that say what a thing is. */
export const ManagedBy = () =>
  Nullable(
    Type.String({ description: 'Source of the files that `monitorctl apply` made or changed it from; null for none.' }),
  )

/** Address of a person, which is also the name of their account; kept in lower case. */
export const Email = (options: object = {}) =>
  Type.String({
    minLength: 3,
    maxLength: 254,
    pattern: '^[^\\s@,;<>"]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$',
    description: 'An e-mail address such as ada@example.com.',
    examples: ['ada@example.com'],
    ...options,
  })

/** A password that is to be kept. */
export const Password = (options: object = {}) => Type.String({ minLength: 10, maxLength: 200, ...options })
