import type { Random } from '../random.ts'

/** A generated text for a message, and the parts of it that must not survive (default: all of it). */
export interface Filled {
  text: string
  secrets: string[]
}

/** Fills a slot of a template; `variant` is the part after the colon in `{phone:national}`. */
export type Generator = (random: Random, language: string, variant: string) => string | Filled

/** Replaces `#` with any digit, `N` with 2 to 9. */
export function fillMask(random: Random, mask: string): string {
  return mask.replace(/[#N]/g, (c) => (c === '#' ? random.digits(1) : String(2 + random.below(8))))
}

/** Returns the full-width forms of ASCII characters. */
export function toFullWidth(text: string): string {
  return text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
}

export function group(text: string, sizes: readonly number[], separator: string): string {
  const parts: string[] = []
  let at = 0
  for (const size of sizes) {
    if (at < text.length) parts.push(text.slice(at, at + size))
    at += size
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts.join(separator)
}
