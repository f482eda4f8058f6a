export { type Io, run } from './main.ts'
