import { validateHeaderName, validateHeaderValue } from 'node:http'
import Type, { type Static } from 'typebox'
import { query } from './json-path.ts'

const bodyText = 'Request body. Its Content-Type, if no header says, is JSON where it parses as JSON, else text.'

export const HttpOptions = Type.Object({
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 8192 }), {
      maxProperties: 50,
      description: 'Request headers. To another origin, after a redirect, only harmless ones are sent.',
      examples: [{ 'X-Api-Key': '…' }],
    }),
  ),
  body: Type.Optional(Type.String({ maxLength: 262_144, description: bodyText })),
  auth: Type.Optional(
    Type.Union(
      [
        Type.Object(
          {
            type: Type.Literal('basic'),
            username: Type.String({ maxLength: 255 }),
            password: Type.String({ maxLength: 1024 }),
          },
          { additionalProperties: false },
        ),
        Type.Object(
          { type: Type.Literal('bearer'), token: Type.String({ minLength: 1, maxLength: 8192, pattern: '^[!-~]+$' }) },
          { additionalProperties: false },
        ),
      ],
      {
        description: 'Credentials; never shown in results.',
        examples: [
          { type: 'basic', username: '…', password: '…' },
          { type: 'bearer', token: '…' },
        ],
      },
    ),
  ),
  expected_status: Type.Optional(
    Type.Array(
      Type.Union([
        Type.Integer({ minimum: 100, maximum: 599 }),
        Type.String({ pattern: '^[1-5][0-9]{2}(-[1-5][0-9]{2})?$' }),
      ]),
      {
        minItems: 1,
        maxItems: 50,
        default: ['200-299'],
        description: 'Status codes and ranges of them, judged after redirects.',
        examples: [[200, '300-399']],
      },
    ),
  ),
  keyword: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Text that the body (its first MiB) must contain.' }),
  ),
  keyword_absent: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Text that the body (its first MiB) must not contain.' }),
  ),
  body_regex: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Regular expression (ECMAScript) that the body must match.',
      examples: ['"status":\\s*"ok"'],
    }),
  ),
  json: Type.Optional(
    Type.Array(
      Type.Object(
        {
          path: Type.String({ minLength: 1, maxLength: 1024, description: 'JSONPath (RFC 9535).' }),
          equals: Type.Optional(Type.Unknown({ description: 'Some value at the path is this one.' })),
          contains: Type.Optional(
            Type.Unknown({ description: 'Some text at the path contains this text, or some list this element.' }),
          ),
          exists: Type.Optional(Type.Boolean({ description: 'Whether there is anything at the path.' })),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: 50,
        description: 'What must hold of a JSON body.',
        examples: [[{ path: '$.status', equals: 'ok' }]],
      },
    ),
  ),
  min_body_bytes: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_485_760, description: 'Least size of the body, decompressed.' }),
  ),
  max_response_time_ms: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 60_000, description: 'A good answer that takes longer is a failure.' }),
  ),
  follow_redirects: Type.Optional(Type.Boolean({ default: true, description: 'false: judge the first answer.' })),
  max_redirects: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 20, default: 5, description: 'How many to follow.' }),
  ),
  ip_family: Type.Optional(
    Type.Enum([4, 6, 'any'], { default: 'any', description: 'Family of addresses; any: IPv4 if there is one.' }),
  ),
  min_tls_version: Type.Optional(
    Type.Enum(['TLSv1.2', 'TLSv1.3'], {
      type: 'string',
      default: 'TLSv1.2',
      description: 'Oldest TLS to accept; without ssl_verify any, if absent.',
    }),
  ),
  allow_downgrade: Type.Optional(Type.Boolean({ default: false, description: 'Follow redirects from https to http.' })),
})
export type HttpOptions = Static<typeof HttpOptions>
export type JsonAssertion = NonNullable<HttpOptions['json']>[number]

/** Headers that belong to the connection, which the check makes itself. */
const reserved = /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i

/** What the schema cannot say: see `CheckType.judgeOptions`. */
export function judgeHttpOptions(all: Record<string, unknown>): Record<string, string | null> {
  const options = all as HttpOptions
  return {
    headers: options.headers ? judgeHeaders(options.headers) : null,
    expected_status: firstMessage(options.expected_status, judgeRange),
    body_regex: options.body_regex === undefined ? null : judgePattern(options.body_regex),
    json: firstMessage(options.json, judgeAssertion),
  }
}

function firstMessage<T>(list: T[] | undefined, judge: (item: T) => string | null): string | null {
  return list?.map(judge).find(message => message !== null) ?? null
}

function judgeHeaders(headers: Record<string, string>): string | null {
  for (const [name, value] of Object.entries(headers)) {
    if (reserved.test(name)) return `must not set ${name}: the check sets it itself`
    try {
      validateHeaderName(name)
    } catch {
      return `must have valid header names; ${JSON.stringify(name)} is none`
    }
    try {
      validateHeaderValue(name, value)
    } catch {
      return `must have a value without line breaks and control characters for ${name}`
    }
  }
  return null
}

function judgeRange(range: number | string): string | null {
  const [from, to] = String(range).split('-')
  return to !== undefined && Number(from) > Number(to) ? `must have ranges that go up; ${range} goes down` : null
}

function judgePattern(pattern: string): string | null {
  try {
    new RegExp(pattern)
    return null
  } catch (error) {
    return `must be a valid regular expression: ${(error as Error).message}`
  }
}

function judgeAssertion(assertion: JsonAssertion): string | null {
  try {
    query(null, assertion.path)
  } catch {
    return `must have JSONPath (RFC 9535) paths, such as $.status; ${assertion.path} is none`
  }
  const said = ['equals', 'contains', 'exists'].filter(word => word in assertion)
  return said.length === 1 ? null : `must have one of equals, contains and exists for ${assertion.path}`
}
