/** One field to sort by. */
export interface Order {
  field: string
  descending: boolean
}

type Comparable = string | number | boolean | null

/**
 * Compares as a list of the store does: nulls last whichever way, and a tie that goes the way of the last field.
 * @param tie never zero for two that differ
 */
export function inOrder<T>(
  order: readonly Order[],
  value: (item: T, field: string) => unknown,
  tie: (a: T, b: T) => number,
): (a: T, b: T) => number {
  const tieWay = order.at(-1)?.descending ? -1 : 1
  return (a, b) => {
    for (const { field, descending } of order) {
      const [left, right] = [value(a, field) as Comparable, value(b, field) as Comparable]
      if (left === right) continue
      if (left === null) return 1
      if (right === null) return -1
      return left < right === descending ? 1 : -1
    }
    return tie(a, b) * tieWay
  }
}
