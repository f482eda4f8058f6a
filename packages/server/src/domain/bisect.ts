/** Where the first is that does not come before, in a list where all that do stand first; its length where all do. */
export function firstNot<T>(list: readonly T[], comesBefore: (each: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comesBefore(list[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}
