import { step } from '../engine/step.ts'
import { isTopLevelDomain } from './top-level-domains.ts'

const DOTS = 'dot|punkt|punto|ponto|point|punt|kropka|tecka|nokta|точка|крапка|titik|cham'
/** Words after "at" that show no address: "at the", "at home". */
const NO_DOMAIN = /^(?:the|a|an|this|that|my|our|your|their|his|her|least|all|home|noon|one)$/i
const OPENING = /\s{0,3}[\])}>]?\s{0,3}/y
const LABEL = /[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?/iy
const JOINT = new RegExp(
  `\\s{0,3}[[({<]\\s?(?:${DOTS}|\\.)\\s?[\\])}>]\\s{0,3}|\\s{1,3}(?:${DOTS})\\s{1,3}|\\s?\\.\\s?`,
  'iy',
)
const LAST_WORD = /[\p{L}\d._+-]{1,64}$/u
const JOINED_WORD = new RegExp(
  `([\\p{L}\\d._+-]{1,64})(?:\\s?[[({<]\\s?|\\s)(?:${DOTS}|underscore|dash)(?:\\s?[\\])}>]\\s?|\\s)$`,
  'iu',
)

/** Returns the address spelled out around the "at" between `start` and `end`: `jane at example dot com`. */
export function spelledAddress(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  const isBracketed = /[[({<]\s?$/.test(text.slice(Math.max(0, start - 2), start))
  const domainEnd = spelledDomainEnd(text, end, isBracketed)
  if (domainEnd < 0) return
  let before = text.slice(Math.max(0, start - 160), start).replace(/[\s[({<]{1,4}$/, '')
  let from = start - (Math.min(160, start) - before.length)
  const word = LAST_WORD.exec(before)
  if (!word) return
  from -= word[0].length
  before = before.slice(0, -word[0].length)
  for (let words = 0; words < 3; words++) {
    const joined = JOINED_WORD.exec(before)
    if (!joined) break
    from -= joined[0].length
    before = before.slice(0, -joined[0].length)
  }
  return { start: from, end: domainEnd }
}

/**
 * Returns the end of the domain that begins at `start`; -1 if there is none. It must end in a known top-level domain
 * and, unless `takesDots`, have a dot as a word or in brackets.
 */
export function spelledDomainEnd(text: string, start: number, takesDots: boolean): number {
  let isSpelled = takesDots
  let end = -1
  let at = step(OPENING, text, start)
  for (let labels = 0; labels < 6; labels++) {
    const labelStart = at
    at = step(LABEL, text, at)
    if (at === labelStart || (labels === 0 && NO_DOMAIN.test(text.slice(labelStart, at)))) break
    if (labels > 0 && isSpelled && isTopLevelDomain(text.slice(labelStart, at).toLowerCase())) end = at
    const joint = step(JOINT, text, at)
    if (joint === at) break
    if (!/^\s?\.\s?$/.test(text.slice(at, joint))) isSpelled = true
    else if (joint - at > 1 && !takesDots) break
    at = joint
  }
  return end
}
