import type { OutboundButton } from '../platforms/platform.ts'

export const SCORES = [1, 2, 3, 4, 5] as const

/** Returns the button for a score. @param messageId the message below which it stands, which asks for a rating */
export function scoreButton(score: number, messageId: number): OutboundButton {
  return { id: `rate:${score}:${messageId}`, title: `${score} ★`, url: null }
}

/** Reads the score and the message from the id of a pressed button; null: it is no button for a score. */
export function readScoreButton(pressed: string): { score: number; messageId: number } | null {
  const [, score, messageId] = /^rate:([1-5]):(\d{1,15})$/.exec(pressed) ?? []
  return score === undefined ? null : { score: Number(score), messageId: Number(messageId) }
}

/** Reads a text that is a score and nothing else, such as 4, 4/5, ٤, ★★★★ or 4 ★; null: it is anything else. */
export function readScore(text: string): number | null {
  const plain = text
    .normalize('NFKC')
    // A digit in a key has two marks behind it, a star that is drawn in colour has one.
    .replace(/[\uFE0F\u20E3]/gu, '')
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/gu, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim()
  const [, digit] = /^([1-5])(?: ?\/ ?5)? ?[★⭐]?[.!]?$/u.exec(plain) ?? []
  if (digit !== undefined) return Number(digit)
  const [stars] = /^[★⭐]{1,5}$/u.exec(plain) ?? []
  return stars?.length ?? null
}
