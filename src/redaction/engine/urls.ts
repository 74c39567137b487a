import { CLASS, OTHER, SPACE, UNSPACED } from './characters.ts'
import type { Places } from './places.ts'

const LONGEST = 2048
const SCHEME = /[a-z][a-z0-9+.-]{1,15}$/i
const END = new Set(Array.from('<>"\'`|\\^{}«»“”‘’。，、；！？（）【】「」', (char) => char.charCodeAt(0)))

/**
 * Returns the start and the end of each URL (`scheme://…`) of a text, in order. `colons` are the positions of its
 * colons.
 */
export function readUrls(text: string, colons: Places): number[] {
  const { length, numbers } = colons
  const urls: number[] = []
  let done = 0
  for (let at = 0; at < length; at++) {
    const colon = numbers[at] as number
    if (colon < done || text.charCodeAt(colon + 1) !== 47 || text.charCodeAt(colon + 2) !== 47) continue
    const scheme = SCHEME.exec(text.slice(Math.max(done, colon - 16), colon))
    if (!scheme) continue
    const end = urlEnd(text, colon + 3)
    if (end > colon + 3) urls.push(colon - scheme[0].length, end)
    done = end
  }
  return urls
}

/**
 * Returns the end of the URL that continues at `start`. The punctuation of the surrounding sentence is not part of it.
 */
export function urlEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + LONGEST)
  let end = start
  while (end < limit && !endsUrl(text.charCodeAt(end))) end++
  while (end > start && /[.,;:!?)\]*_~'-]/.test(text.charAt(end - 1)) && !isPlaceholderEnd(text, end)) end--
  return end
}

/** Returns the start of the URL that has a character at `place`, at the earliest `from`. */
export function urlStart(text: string, place: number, from: number): number {
  const limit = Math.max(from, place - LONGEST)
  let start = place
  while (start > limit && !endsUrl(text.charCodeAt(start - 1))) start--
  return start
}

function endsUrl(code: number): boolean {
  const kind = CLASS[code]
  return kind === SPACE || kind === UNSPACED || (kind === OTHER && END.has(code))
}

function isPlaceholderEnd(text: string, end: number): boolean {
  return (
    text.charCodeAt(end - 1) === 93 && /\[[A-Z0-9_]{1,69}\]$/.test(text.slice(Math.max(0, end - 71), end))
  )
}
