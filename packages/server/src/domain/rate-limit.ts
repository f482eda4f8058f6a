/** Who is counted: what names a credential or an account, 0 without one, and the address it was used from. */
export interface Asker {
  credential: number | string
  address: string
}

/** One limit: so many requests in each fixed window. */
export interface Policy {
  /** As the `RateLimit-Policy` header names it. */
  name: string
  /** Requests in a window; 0 is no limit. */
  limit: number
  windowS: number
  /** Whose requests are counted together. */
  keyOf(asker: Asker): string | number
}

/** Where an asker stands with the limit that is nearest to running out. */
export interface Standing {
  allowed: boolean
  policy: Policy
  remaining: number
  /** Unix seconds at which the window ends. */
  resetAt: number
  /** Seconds until then, at least 1. */
  resetInS: number
}

interface Entry {
  count: number
}

/** Askers of one window that are remembered at least; the most is twice as many. */
const leastKept = 50_000

/**
 * Counts requests against several limits at once. In memory and without a clock: the time is passed in.
 * A request that one limit refuses takes nothing from the others.
 */
export class Budget {
  /** The limits that hold. */
  readonly policies: readonly Policy[]
  private readonly windows: Window[]

  constructor(policies: readonly Policy[], keptAskers = leastKept) {
    this.policies = policies.filter(policy => policy.limit > 0)
    this.windows = this.policies.map(policy => new Window(policy, keptAskers))
  }

  /**
   * Counts one request.
   * @param now epoch ms
   * @returns undefined where no limit holds
   */
  take(asker: Asker, now: number): Standing | undefined {
    const entries = this.windows.map(window => window.entry(asker, now))
    const allowed = entries.every((entry, index) => entry.count < (this.policies[index] as Policy).limit)
    if (allowed) for (const entry of entries) entry.count++
    let nearest: Standing | undefined
    for (const [index, entry] of entries.entries()) {
      const standing = standingOf(this.policies[index] as Policy, entry.count, allowed, now)
      if (nearest === undefined || isNearer(standing, nearest)) nearest = standing
    }
    return nearest
  }

  /** Undoes a {@link take} that was allowed: the answer turned out to be one that is not counted. */
  giveBack(asker: Asker, now: number): void {
    for (const window of this.windows) {
      const entry = window.entry(asker, now)
      // A window that has ended in between holds nothing to give back.
      if (entry.count > 0) entry.count--
    }
  }
}

/**
 * The counts of one limit. Windows start at multiples of their length, so that all askers share one: when it ends, all
 * counts are dropped at once, and nothing needs sweeping.
 */
class Window {
  private readonly policy: Policy
  private readonly keptAskers: number
  private index = -1
  // Two generations bound the memory however many addresses an attacker has. Whoever keeps asking is carried over;
  // deleting the oldest of a large Map one by one would be slow, because V8 walks over what was deleted.
  private young = new Map<string | number, Entry>()
  private old = new Map<string | number, Entry>()

  constructor(policy: Policy, keptAskers: number) {
    this.policy = policy
    this.keptAskers = keptAskers
  }

  entry(asker: Asker, now: number): Entry {
    const index = Math.floor(now / (this.policy.windowS * 1000))
    if (index !== this.index) {
      this.index = index
      this.young = new Map()
      this.old = new Map()
    }
    const key = this.policy.keyOf(asker)
    const known = this.young.get(key)
    if (known !== undefined) return known
    const entry = this.old.get(key) ?? { count: 0 }
    if (this.young.size >= this.keptAskers) {
      this.old = this.young
      this.young = new Map()
    }
    this.young.set(key, entry)
    return entry
  }
}

function standingOf(policy: Policy, count: number, allowed: boolean, now: number): Standing {
  const lengthMs = policy.windowS * 1000
  const endMs = (Math.floor(now / lengthMs) + 1) * lengthMs
  const resetInS = Math.ceil((endMs - now) / 1000)
  return { allowed, policy, remaining: policy.limit - count, resetAt: endMs / 1000, resetInS }
}

/** Fewer requests are left, or as few for longer: who waits for the later of two has waited for both. */
function isNearer(one: Standing, other: Standing): boolean {
  return one.remaining === other.remaining ? one.resetAt > other.resetAt : one.remaining < other.remaining
}
