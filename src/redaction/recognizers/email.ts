import { CLASS, isAlphanumeric, isWord, UNSPACED } from '../engine/characters.ts'
import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { spelledAddress, spelledDomainEnd } from './spelled-email.ts'

const TYPE = 'EMAIL_ADDRESS'
const LONGEST_LOCAL = 64
const LONGEST_DOMAIN = 253
/** The dot, and the characters of RFC 5322's atext besides letters and digits. */
const LOCAL_SIGNS = ".!#$%&'*+/=?^_`{|}~-"

/** Addresses according to RFC 5321 and 6531, and addresses spelled out in words. */
export const email: Recognizer = {
  type: TYPE,
  label: 'E-mail address',
  example: 'jane.doe@example.com',
  phrases: {
    spelledAt: ['at', 'arroba', 'arobase', 'chiocciola', 'apenstaartje', 'malpa', 'snabel-a', 'собака'],
  },
  find(page) {
    const { numbers, length } = page.anchors.ats
    for (let at = 0; at < length; at++) findAround(page, numbers[at] as number)
    const spelled = page.phrases('spelledAt')
    for (let at = 0; at < spelled.length; at += 2) {
      const address = spelledAddress(page.text, spelled[at] as number, spelled[at + 1] as number)
      if (address) page.add(TYPE, address.start, address.end, 'checked')
    }
  },
  examples: [
    'write to «jane.doe+news@example.co.uk», please',
    '联系邮箱：«zhang_wei@qq.com»谢谢',
    'Mail «müller@bücher.example»!',
    'почта «иван@пример.рф»',
    'reach me: «jane dot doe at example dot com» today',
    'reach me: «jane [at] example [dot] org»',
    'it is «jane(at)example.com» ok',
    '«JANE＠EXAMPLE．COM»',
    'mailto:«a.b@c.io»',
  ],
  counterExamples: [
    'npm i react@18.2.0 and @types/node@20.1.1',
    'thanks @jane for the review',
    'logo@2x.png is blurry',
    'git clone git@github.com:acme/tool.git',
    'ssh://git@example.com/team/repo.git',
    'meet me at noon dot 5',
    'I arrived at school.My friend',
    'root@localhost',
  ],
}

function findAround(page: Page, at: number): void {
  const { text } = page
  const start = localStart(text, at)
  const end = domainEnd(text, at + 1)
  if (start < at && end > 0) {
    if (isAddress(text, start, at, end)) page.add(TYPE, start, end, 'alone')
    return
  }
  if (text.charCodeAt(at - 1) === 32 && text.charCodeAt(at + 1) === 32) findSpaced(page, at)
}

function isAddress(text: string, start: number, at: number, end: number): boolean {
  return !(
    text.slice(start, at) === 'git' &&
    (text.charCodeAt(end) === 58 || text.charCodeAt(start - 1) === 47)
  )
}

/** Returns the start of the local part before the `@`. */
function localStart(text: string, at: number): number {
  const limit = Math.max(0, at - LONGEST_LOCAL)
  const takesUnspaced = CLASS[text.charCodeAt(at - 1)] === UNSPACED
  let start = at
  for (; start > limit; start--) {
    const code = text.charCodeAt(start - 1)
    if (isAlphanumeric(code)) continue
    if (code < 128 ? LOCAL_SIGNS.includes(text.charAt(start - 1)) : isLocalLetter(code, takesUnspaced))
      continue
    break
  }
  while (start < at && !isWord(text.charCodeAt(start)) && text.charCodeAt(start) !== 95) start++
  // After a scheme or the `=` of a query, only the address counts. A slash belongs to a path.
  for (let from = at - 1; from >= start; from--) {
    const code = text.charCodeAt(from)
    if (code === 47 || code === 61 || code === 38 || code === 63) return from + 1
  }
  return start
}

function isLocalLetter(code: number, takesUnspaced: boolean): boolean {
  if (CLASS[code] === UNSPACED) return takesUnspaced
  return isWord(code)
}

/** Returns the end of the domain that begins at `start`; -1 if there is no domain. */
function domainEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + LONGEST_DOMAIN)
  const isPlain = text.charCodeAt(start) < 128
  let end = -1
  let label = start
  let at = start
  for (; at <= limit; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (isAlphanumeric(code) || (code >= 128 && isDomainLetter(code, isPlain))) continue
    if (code === 45 && at > label) continue
    if (at === label || text.charCodeAt(at - 1) === 45) break
    if (label > start && isTopLabel(text, label, at)) end = at
    if (code !== 46) break
    label = at + 1
  }
  return end
}

function isDomainLetter(code: number, isPlain: boolean): boolean {
  return CLASS[code] === UNSPACED ? !isPlain : isWord(code)
}

const FILES = new Set([
  'png',
  'jpg',
  'jpeg',
  'gif',
  'svg',
  'webp',
  'js',
  'css',
  'ts',
  'json',
  'html',
  'pdf',
  'txt',
])

function isTopLabel(text: string, start: number, end: number): boolean {
  if (end - start < 2) return false
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < 58 && code !== 45 && !text.startsWith('xn--', start)) return false
  }
  return !FILES.has(text.slice(start, Math.min(end, start + 5)).toLowerCase())
}

/** Finds an address with spaces around the `@`: `name @ domain.com`. */
function findSpaced(page: Page, at: number): void {
  const start = localStart(page.text, at - 1)
  const end = spelledDomainEnd(page.text, at + 1, true)
  if (start < at - 1 && end > 0) page.add(TYPE, start, end, 'alone')
}
