import { isAlphanumeric } from '../engine/characters.ts'
import type { Strength } from '../engine/finding.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const TYPE = 'MAC_ADDRESS'
const PAIRS =
  /[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:\1[0-9a-f]{2}\1[0-9a-f]{2})?(?![0-9a-z]|[:-][0-9a-f])/iy
const DOTTED = /[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![0-9a-z]|\.[0-9a-z])/iy
const LETTERS_BEFORE = /^(?:[a-f]{2}-|[a-f]{4}\.)$/i
const COLONS = /[0-9a-f]{2}:/i

/** EUI-48 and EUI-64 addresses, in pairs or in Cisco's dotted form, except all zeros or all ones. */
export const macAddress: Recognizer = {
  type: TYPE,
  label: 'MAC address',
  example: '00:1B:44:11:3A:B7',
  context: [
    'mac',
    'mac address*',
    'mac-adres*',
    'adresse mac',
    'direccion mac',
    'indirizzo mac',
    'hwaddr',
    'bssid',
    'mac地址',
    'macアドレス',
  ],
  look(page, token) {
    const { text } = page
    const end = page.tokenEnd(token)
    const length = end - page.tokenStart(token)
    if (length !== 2 && length !== 4) return
    const start =
      length === 2 ? firstPair(text, page.tokenStart(token)) : firstFour(text, page.tokenStart(token))
    const pattern = length === 2 ? PAIRS : DOTTED
    const joint = text.charCodeAt(start + length)
    const isParted = length === 2 ? joint === 58 || joint === 45 : joint === 46
    if (!isParted || isJoined(text, start)) return
    pattern.lastIndex = start
    const match = pattern.exec(text)
    const strength = match ? strengthOf(match[0]) : undefined
    return strength && { start, end: pattern.lastIndex, strength }
  },
  find(page) {
    let done = 0
    const { numbers, length } = page.anchors.colons
    for (let at = 0; at < length; at++) {
      const colon = numbers[at] as number
      const start = colon - 2
      if (start < done || !COLONS.test(page.text.slice(start, colon + 1)) || isJoined(page.text, start))
        continue
      PAIRS.lastIndex = start
      const match = PAIRS.exec(page.text)
      if (!match) continue
      done = PAIRS.lastIndex
      if (strengthOf(match[0])) page.add(TYPE, start, done, 'alone')
    }
  },
  examples: [
    'MAC «00:1B:44:11:3A:B7»',
    'device «aa-bb-cc-dd-ee-0f»',
    'arp «001b.4411.3ab7»',
    'nic «fe:ed:fa:ce:be:ef»',
    '«01-23-45-67-89-AB»',
    'device «6714.5912.8130» is offline',
    'MAC «15-60-37-65-02-19»',
  ],
  counterExamples: [
    'at 10:20:30',
    'order 6714.5912.8130',
    'ff:ff:ff:ff:ff:ff',
    'fingerprint 16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
    '12-34-56-78-90-12',
  ],
}

/** Moves back over pairs that consist only of letters, which are not tokens. */
function firstPair(text: string, start: number): number {
  let first = start
  while (
    start - first < 15 &&
    text.charCodeAt(first - 1) === 45 &&
    LETTERS_BEFORE.test(text.slice(Math.max(0, first - 3), first))
  )
    first -= 3
  return isJoined(text, first) ? start : first
}

function firstFour(text: string, start: number): number {
  let first = start
  while (
    start - first < 10 &&
    text.charCodeAt(first - 1) === 46 &&
    LETTERS_BEFORE.test(text.slice(Math.max(0, first - 5), first))
  )
    first -= 5
  return first
}

function isJoined(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  return (
    isAlphanumeric(before) || ((before === 58 || before === 45) && isAlphanumeric(text.charCodeAt(start - 2)))
  )
}

/** Judges an address. One of digits only may also be an order or a date. */
function strengthOf(address: string): Strength | undefined {
  if (/^[0:.-]+$|^[f:.-]+$/i.test(address)) return
  if (/[a-f:]/i.test(address)) return 'alone'
  return address.includes('.') ? 'checked' : 'context'
}
