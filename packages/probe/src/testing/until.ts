/** Waits until something holds; fails with what it waited for after `withinMs`. */
export async function until(what: string, holds: () => boolean, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain until ${what}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
