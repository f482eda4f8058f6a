import Type, { type TObject, type TSchema } from 'typebox'

/** Query of a list endpoint (specification 4.2): a page, an order, and filters by field that combine. */
export interface ListQuery {
  page?: number
  per_page?: number
  sort?: string
  [filter: string]: string | number | boolean | undefined
}

/** The scalar fields of an item: what a list can be sorted and filtered by (ruling 5). */
export function scalarFields(item: TObject): Record<string, TSchema> {
  const fields: Record<string, TSchema> = {}
  for (const [name, schema] of Object.entries(item.properties)) {
    const scalar = withoutNull(schema)
    if (isScalar(scalar)) fields[name] = scalar
  }
  return fields
}

/**
 * @param except scalar fields of the item that no store can search by
 * @param more what else one may ask for
 */
export function listQuery(item: TObject, except: string[] = [], more: Record<string, TSchema> = {}) {
  const fields = scalarFields(item)
  for (const name of except) delete fields[name]
  const filters = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      Type.Optional(Type.Unsafe({ ...pickType(schema), description: `Only those whose ${name} is this.` })),
    ]),
  )
  return Type.Unsafe<ListQuery>(
    Type.Object(
      {
        ...filters,
        ...more,
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })),
        per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
        sort: Type.Optional(
          Type.String({
            maxLength: 200,
            description: `Fields, comma-separated, - before one for descending: ${Object.keys(fields).join(', ')}.`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
  )
}

interface Plain {
  type?: string
  enum?: unknown[]
  format?: string
  pattern?: string
  anyOf?: Plain[]
}

function withoutNull(schema: TSchema): TSchema {
  const rest = (schema as Plain).anyOf?.filter(each => each.type !== 'null')
  return rest?.length === 1 ? (rest[0] as TSchema) : schema
}

function isScalar(schema: TSchema): boolean {
  return ['string', 'integer', 'number', 'boolean'].includes((schema as Plain).type ?? '')
}

/** The kind of the value and its words; bounds and defaults are for writing, not for asking. */
function pickType(schema: TSchema): TSchema {
  const { type, enum: words, format, pattern } = schema as Plain
  const bounds = type === 'integer' ? { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } : {}
  const time = format === undefined ? {} : { format, pattern }
  return { type, ...(words === undefined ? {} : { enum: words }), ...time, ...bounds } as TSchema
}
