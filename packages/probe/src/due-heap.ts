interface Node<T> {
  at: number
  item: T
}

/** A binary heap of items by time: the earliest is found at once, however many thousand wait. */
export class DueHeap<T> {
  #nodes: Node<T>[] = []

  get size(): number {
    return this.#nodes.length
  }

  /** The earliest, left in place. */
  peek(): Node<T> | undefined {
    return this.#nodes[0]
  }

  push(at: number, item: T): void {
    const nodes = this.#nodes
    let index = nodes.push({ at, item }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if ((nodes[parent] as Node<T>).at <= at) break
      this.#swap(index, parent)
      index = parent
    }
  }

  /** Takes out the earliest. */
  pop(): Node<T> | undefined {
    const nodes = this.#nodes
    const first = nodes[0]
    const last = nodes.pop()
    if (first === undefined || last === undefined || nodes.length === 0) return first
    nodes[0] = last
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      let least = index
      if (left < nodes.length && this.#at(left) < this.#at(least)) least = left
      if (right < nodes.length && this.#at(right) < this.#at(least)) least = right
      if (least === index) return first
      this.#swap(index, least)
      index = least
    }
  }

  #at(index: number): number {
    return (this.#nodes[index] as Node<T>).at
  }

  #swap(a: number, b: number): void {
    const nodes = this.#nodes
    const held = nodes[a] as Node<T>
    nodes[a] = nodes[b] as Node<T>
    nodes[b] = held
  }
}
