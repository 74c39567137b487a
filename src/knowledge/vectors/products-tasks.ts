import { compareInWebAssembly } from './dot.ts'
import { bestBy, type Near } from './products.ts'

/** The tasks of threads that search many vectors. */
export const productsTasks = {
  nearest: (
    memory: WebAssembly.Memory,
    dimension: number,
    question: Float32Array,
    from: number,
    to: number,
    most: number,
  ): Near[] => bestBy(compareInWebAssembly(memory, dimension, question), from, to, most),
}
