import { dotCode } from './dot-code.ts'
import { PAGE_BYTES } from './memory.ts'
import { type Compare, MOST_COMPARED } from './products.ts'

/** The maximum number of numbers in a question: as many as in a vector of an embedding server. */
const MOST_NUMBERS = 8192
const BYTES = Float32Array.BYTES_PER_ELEMENT
const FOUND_AT = MOST_NUMBERS * BYTES

type Multiply = (question: number, length: number, vector: number, end: number, into: number) => void

let code: WebAssembly.Module | undefined
let own: WebAssembly.Memory | undefined

/** Compares a question with vectors in WebAssembly memory, sixteen numbers at once. Only one question at a time. */
export function compareInWebAssembly(
  vectors: WebAssembly.Memory,
  dimension: number,
  question: Float32Array,
): Compare {
  if (question.length > MOST_NUMBERS) throw new Error(`a question has at most ${MOST_NUMBERS} numbers`)
  code ??= new WebAssembly.Module(Buffer.from(dotCode, 'base64'))
  own ??= new WebAssembly.Memory({ initial: (FOUND_AT + MOST_COMPARED * BYTES) / PAGE_BYTES })
  const { multiply } = new WebAssembly.Instance(code, { memories: { vectors, own } }).exports
  new Float32Array(own.buffer).set(question)
  const found = new Float32Array(own.buffer, FOUND_AT)
  return (from, to) => {
    const bytes = dimension * BYTES
    ;(multiply as Multiply)(0, dimension, from * bytes, to * bytes, FOUND_AT)
    return found.subarray(0, to - from)
  }
}
