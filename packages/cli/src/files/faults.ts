import { ApiError, type ResourceKind, resourceKinds } from '@watchpost/contract'
import { UsageError } from '../usage-error.ts'
import type { Loaded } from './load.ts'

/** Runs what the server judges, and says of each fault where in the files it stands. */
export async function withPlaces<T>(loaded: Loaded, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error
    const fields = Object.entries(error.errors).map(([field, message]) => [placed(field, loaded), message])
    const count = fields.length
    throw new UsageError(
      `the server refused ${count === 1 ? 'one field' : `${count} fields`}; nothing was changed`,
      Object.fromEntries(fields),
    )
  }
}

/** `shop.yaml:7 monitors "Shop" interval` for `resources.monitors.0.interval`. */
function placed(field: string, { places }: Loaded): string {
  const [, kind, index, ...path] = field.split('.')
  const place = resourceKinds.some(each => each === kind) ? places[kind as ResourceKind][Number(index)] : undefined
  if (place === undefined) return field
  return [`${place.file}:${place.line(path)}`, kind, JSON.stringify(place.name), path.join('.')].join(' ').trim()
}
