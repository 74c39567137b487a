/** Memory that threads share. WebAssembly can access only its own kind. */
export type SharedMemory = SharedArrayBuffer | WebAssembly.Memory

/**
 * The maximum count of numbers in a plain buffer. A WebAssembly memory reserves 8 GB of addresses, too much for few.
 */
const MOST_PLAIN_NUMBERS = 4_000_000
/** The unit in which WebAssembly memory is measured. */
export const PAGE_BYTES = 65_536

/** Allocates memory for at least this many numbers, all 0. */
export function allocate(numbers: number): SharedMemory {
  const bytes = numbers * Float32Array.BYTES_PER_ELEMENT
  if (numbers <= MOST_PLAIN_NUMBERS) return new SharedArrayBuffer(bytes)
  const pages = Math.ceil(bytes / PAGE_BYTES)
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

export function bufferOf(memory: SharedMemory): ArrayBufferLike {
  return memory instanceof WebAssembly.Memory ? memory.buffer : memory
}

export function numbersOf(memory: SharedMemory): Float32Array {
  return new Float32Array(bufferOf(memory))
}
