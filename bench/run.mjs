// npm run bench NAME [ROUNDS]: without a name, says which there are.
import { readdirSync } from 'node:fs'

const parts = new Set(['measure', 'product', 'floors'])
const names = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.ts'))
  .map(file => file.slice(0, -3))
  .filter(name => !parts.has(name))
const name = process.argv[2]
if (!names.includes(name)) {
  console.error(`npm run bench NAME [ROUNDS], NAME one of: ${names.join(', ')}`)
  process.exit(2)
}
process.argv.splice(2, 1)
await import(`./${name}.ts`)
