import { telemetryDay } from '@watchpost/store'
import type { OpenDay } from './archive.ts'
import { Recent } from './recent.ts'
import { type ReadHead, readHead } from './span-head.ts'

/** Bytes of heads that are remembered, roughly. */
const mostBytes = 33_554_432
/** Heads that are read at once. */
const atOnce = 200

interface Known {
  app_id: number
  head: ReadHead
}

/** Heads of spans as they were read: blocks never change, and the newest are asked for again and again. */
export class Heads {
  private readonly known = new Recent<number, Known>(mostBytes)

  /** Of those blocks that are the app's, by id. */
  async of({ day, db }: OpenDay, app_id: number, ids: number[]): Promise<Map<number, ReadHead>> {
    const found = new Map<number, ReadHead>()
    const missing: number[] = []
    const add = (id: number, known: Known) => {
      if (known.app_id === app_id) found.set(id, known.head)
    }
    for (const id of ids) {
      const known = this.known.get(id)
      if (known === undefined) missing.push(id)
      else add(id, known)
    }
    for (let at = 0; at < missing.length; at += atOnce) {
      const rows = await db.all(telemetryDay(day).heads, { ids: missing.slice(at, at + atOnce) })
      for (const { id, app_id, head: packed } of rows) {
        const head = readHead(packed)
        const names = head.names.reduce((sum, name) => sum + name.length, 0)
        const known = { app_id, head }
        this.known.set(id, known, head.items * 22 + head.traces.length * 250 + names + 1000)
        add(id, known)
      }
    }
    return found
  }
}
