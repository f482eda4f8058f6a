import { telemetryDay } from '@watchpost/store'
import type { OpenDay } from './archive.ts'
import { type ReadHead, readHead } from './span-head.ts'

/** Bytes of heads that are remembered, roughly. */
const mostBytes = 33_554_432
/** Heads that are read at once. */
const atOnce = 200

interface Known {
  app_id: number
  head: ReadHead
  bytes: number
}

/** Heads of spans as they were read: blocks never change, and the newest are asked for again and again. */
export class Heads {
  private readonly known = new Map<number, Known>()
  private bytes = 0

  /** Of those blocks that are the app's, by id. */
  async of({ day, db }: OpenDay, app_id: number, ids: number[]): Promise<Map<number, ReadHead>> {
    const found = new Map<number, ReadHead>()
    const missing: number[] = []
    const add = (id: number, known: Known) => {
      if (known.app_id === app_id) found.set(id, known.head)
    }
    for (const id of ids) {
      const known = this.known.get(id)
      if (known === undefined) {
        missing.push(id)
        continue
      }
      // Last, so that those which nobody asks for come first.
      this.known.delete(id)
      this.known.set(id, known)
      add(id, known)
    }
    for (let at = 0; at < missing.length; at += atOnce) {
      const rows = await db.all(telemetryDay(day).heads, { ids: missing.slice(at, at + atOnce) })
      for (const { id, app_id, head: packed } of rows) {
        const head = readHead(packed)
        const names = head.names.reduce((sum, name) => sum + name.length, 0)
        const known = { app_id, head, bytes: head.items * 20 + head.traces.length * 80 + names + 1000 }
        this.remember(id, known)
        add(id, known)
      }
    }
    return found
  }

  private remember(id: number, known: Known): void {
    this.bytes += known.bytes
    this.known.set(id, known)
    for (const [oldest, { bytes }] of this.known) {
      if (this.bytes <= mostBytes) break
      this.known.delete(oldest)
      this.bytes -= bytes
    }
  }
}
