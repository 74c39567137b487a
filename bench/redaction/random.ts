/** A seeded source of choices: the same seed gives the same sets on every machine. */
export interface Random {
  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  /** Characters drawn from an alphabet. */
  text(length: number, alphabet: string): string
  digits(length: number): string
  chance(share: number): boolean
}

export const DIGITS = '0123456789'
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const LOWER = 'abcdefghijklmnopqrstuvwxyz'
export const HEX = '0123456789abcdef'
export const ALNUM = DIGITS + UPPER + LOWER

/** mulberry32, seeded by a number or by the hash of a string. */
export function seededRandom(seed: number | string): Random {
  let state = typeof seed === 'number' ? seed : hash(seed)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const text = (length: number, alphabet: string) =>
    Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')
  return {
    below,
    text,
    digits: (length) => text(length, DIGITS),
    chance: (share) => next() < share,
    pick: <T>(items: readonly T[]) => {
      if (items.length === 0) throw new Error('nothing to pick from')
      return items[below(items.length)] as T
    },
  }
}

/** FNV-1a. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
