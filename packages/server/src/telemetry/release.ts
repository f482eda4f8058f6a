/**
 * Gives memory back now that nobody needs it. Until a collector finds bytes to be garbage they count into the heap, and some
 * tens of megabytes of them have V8 mark all that lives, several times a second where bodies come in fast.
 */
export function release(bytes: Uint8Array | Int32Array): void {
  const { buffer } = bytes
  // Small ones may share theirs with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength && buffer.byteLength >= atLeast) {
    buffer.transfer(0)
  }
}

const atLeast = 4096
