import { createRequire } from 'node:module'
import type Forge from 'node-forge'

const require = createRequire(import.meta.url)
let loaded: typeof Forge | undefined

/** node-forge, read once somebody needs it: few checks do, and it is three megabytes of memory. */
export function forge(): typeof Forge {
  loaded ??= require('node-forge') as typeof Forge
  return loaded
}
