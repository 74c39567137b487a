import type { Page } from '../../engine/page.ts'
import type { Recognizer } from '../../engine/recognizer.ts'

const LONGEST_LINE = 40

/**
 * Returns a function that finds nine digits on a line of their own, which is how people answer when asked for the
 * number. Among other lines of digits, they are part of a list.
 */
export function lookForAnswer(passes: (digits: string) => boolean): NonNullable<Recognizer['look']> {
  return (page: Page, token: number) => {
    const start = page.tokenStart(token)
    const end = page.tokenEnd(token)
    if (end - start !== 9 || !page.isNumber(token) || !passes(page.text.slice(start, end))) return
    const before = page.text.slice(Math.max(0, start - LONGEST_LINE), start)
    const behind = page.text.slice(end, end + LONGEST_LINE)
    const isAlone = /(?:^|\n)[^\S\n]*$/.test(before) && /^[^\S\n]*\.?[^\S\n]*(?:\n|$)/.test(behind)
    const isListed = /(?:^|\n)[\d\s]*\d\s*\n\s*$/.test(before) || /^\s*\n\s*\d+\s*(?:\n|$)/.test(behind)
    return isAlone && !isListed ? { start, end, strength: 'checked' } : undefined
  }
}
