/** 2024-01-01: with it the ids of the next decades are numbers that are exact. */
const epoch = 1_704_067_200_000
const perMs = 4096

/** Ids in the order of arrival, unique among replicas but for a chance that the commit notices. */
export class BlockIds {
  private last = 0

  /** All that come are larger than this one. */
  follow(id: number): void {
    this.last = Math.max(this.last, id)
  }

  next(now: number): number {
    this.last = Math.max(this.last + 1, (now - epoch) * perMs + Math.floor(Math.random() * (perMs / 2)))
    return this.last
  }
}

/** Of the one thread that writes files. */
export const fileIds = new BlockIds()

/** The id that everything kept before a time is below. */
export const idAt = (now: number): number => (now - epoch) * perMs

/** When a block was kept, epoch ms. */
export const keptAt = (id: number): number => Math.floor(id / perMs) + epoch
