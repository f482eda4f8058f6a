import { type Days, pointsDay, telemetryDay } from '@watchpost/store'
import { type BlockIds, idAt } from './block-ids.ts'

/**
 * Lets ids go on from those of what is kept. Where the clock was set back before this start, what comes now would lie among
 * what runs, digests and put-together points have told of for good, and nobody would look there.
 */
export async function followKept(days: Days, blocks: BlockIds, pointDays: Days, inbox: BlockIds): Promise<void> {
  for (const day of await days.list()) {
    const db = await days.open(day)
    blocks.follow((await db?.one(telemetryDay(day).lastBlock, {}))?.id ?? 0)
  }
  for (const day of await pointDays.list()) {
    const db = await pointDays.open(day)
    inbox.follow((await db?.one(pointsDay(day).lastInbox, {}))?.id ?? 0)
    // Packed points have left the inbox; they were in it before the last commit was over.
    inbox.follow(idAt(((await db?.one(pointsDay(day).lastCommit, {}))?.kept_at ?? 0) + 1))
  }
}
