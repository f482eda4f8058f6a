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
