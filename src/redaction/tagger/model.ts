import { readFileSync } from 'node:fs'

/** The labels of tokens: outside; the beginning and the inside of a person's name, of an address. */
export const LABELS = 5
export const OUTSIDE = 0
/** The labels that have weights. Evidence for OUTSIDE is evidence against the others. */
export const WEIGHED = LABELS - 1
export const PERSON = 1
export const ADDRESS = 3

/** The result of a training: weights by feature and label, and by a label and the one before it, in steps of `scale`. */
export interface Model {
  scale: number
  /** `transitions[before * LABELS + label]`. */
  transitions: Int32Array
  /** For each feature four bytes, one for each label but OUTSIDE, the lowest first: its weight and BIAS. */
  weights: Int32Array
  /** For each feature the highest bits of its hash. A hash with others has no weight. */
  tags: Uint8Array
  /** A feature's place among the weights and the tags is `hash & mask`. */
  mask: number
}

/** Added to a weight, so that its byte has no sign and four can be added up in two numbers. */
export const BIAS = 128
/** `hash >>> TAG_SHIFT` is the tag of a feature. */
export const TAG_SHIFT = 24
/** The bits that turn four signed bytes into biased ones, and back. */
const SIGNS = 0x80808080

const HEAD = 4 * (1 + LABELS * LABELS)

let model: Model | undefined

/** Returns the model beside this file. It is read when it is first needed. */
export function loadModel(): Model {
  model ??= unpackModel(readFileSync(new URL('./model.bin', import.meta.url)))
  return model
}

export function unpackModel(bytes: Uint8Array): Model {
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD)
  const body = new DataView(bytes.buffer, bytes.byteOffset + HEAD, bytes.byteLength - HEAD)
  const weights = new Int32Array(body.byteLength / 5)
  for (let at = 0; at < weights.length; at++) weights[at] = body.getInt32(at * 4, true) ^ SIGNS
  return {
    scale: head.getFloat32(0, true),
    transitions: Int32Array.from({ length: LABELS * LABELS }, (_, at) => head.getInt32(4 + at * 4, true)),
    weights,
    tags: bytes.slice(HEAD + weights.length * 4),
    mask: weights.length - 1,
  }
}

export function packModel({ scale, transitions, weights, tags }: Omit<Model, 'mask'>): Uint8Array {
  const bytes = new Uint8Array(HEAD + weights.length * 5)
  bytes.set(tags, HEAD + weights.length * 4)
  const head = new DataView(bytes.buffer)
  head.setFloat32(0, scale, true)
  transitions.forEach((weight, at) => {
    head.setInt32(4 + at * 4, weight, true)
  })
  weights.forEach((weight, at) => {
    head.setInt32(HEAD + at * 4, weight ^ SIGNS, true)
  })
  return bytes
}
