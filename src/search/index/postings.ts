/** The maximum number of texts in a part: places take the upper ten bits of a posting, impacts the lower six. */
export const PART_SIZE = 1024
const IMPACT_BITS = 6
const IMPACT_MASK = (1 << IMPACT_BITS) - 1

/** One text of a part that contains a word. */
export interface Posting {
  /** Its place in the part. */
  place: number
  impact: number
}

/** Packs a posting into a number, so that a part's postings sort by place. */
export function packPosting(place: number, impact: number): number {
  return (place << IMPACT_BITS) | impact
}

/** Writes two bytes for each packed posting, in their order. */
export function writePostings(packed: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(packed.length * 2)
  let at = 0
  for (const posting of packed) {
    bytes[at++] = posting >> 8
    bytes[at++] = posting & 0xff
  }
  return bytes
}

export function readPostings(bytes: Uint8Array): Posting[] {
  const postings: Posting[] = []
  forEachPosting(bytes, (place, impact) => postings.push({ place, impact }))
  return postings
}

/** Reads postings as `readPostings` does, without creating an object for each. */
export function forEachPosting(bytes: Uint8Array, each: (place: number, impact: number) => void): void {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const posting = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    each(posting >> IMPACT_BITS, posting & IMPACT_MASK)
  }
}

/** Writes ascending ids by place, each as its difference from the one before, seven bits a byte. */
export function writeIds(ids: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let last = 0
  for (const id of ids) {
    let rest = id - last
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
    bytes.push(rest)
    last = id
  }
  return Uint8Array.from(bytes)
}

export function readIds(bytes: Uint8Array): number[] {
  const ids: number[] = []
  let last = 0
  let rest = 0
  let factor = 1
  for (const byte of bytes) {
    rest += (byte & 0x7f) * factor
    if (byte & 0x80) {
      factor *= 0x80
      continue
    }
    last += rest
    ids.push(last)
    rest = 0
    factor = 1
  }
  return ids
}
