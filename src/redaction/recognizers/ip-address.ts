import { isAlphanumeric, isDigit } from '../engine/characters.ts'
import type { Page } from '../engine/page.ts'
import type { Candidate, Recognizer } from '../engine/recognizer.ts'
import { wordList } from '../engine/word-list.ts'

const TYPE = 'IP_ADDRESS'
const V4 =
  /(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}(?![\d.]\d|[a-z_])/iy
const PREFIX = /\/(\d{1,2})(?!\d)/y
const V6 = /[0-9a-f:]{2,39}(?:(?:\.\d{1,3}){3})?/iy
const LONGEST_V6 = 45
const COLON = 58
const BESIDE = { before: 24, behind: 2, isOfLine: true } as const

const VERSION_WORDS = wordList(
  'version*, build*, release*, firmware, section, chapter, rev, revision, ver, driver, update, clause',
  'kapitel, abschnitt, versie*, wersj*, verz*, surum*, верси*, версі*, сборк*, версия, إصدار, الإصدار',
  'संस्करण, वर्जन, 版本, バージョン, 버전, เวอร์ชัน, phien ban, versi, versao, versione, chapitre, seccion',
  'utgava',
)

/** Addresses according to RFC 791 and RFC 4291, except loopback addresses, netmasks, and networks as such. */
export const ipAddress: Recognizer = {
  type: TYPE,
  label: 'IP address',
  example: '203.0.113.42',
  context: [
    'ip',
    'ip address*',
    'ipv4',
    'ipv6',
    'ip-adress*',
    'adresse ip',
    'direccion ip',
    'indirizzo ip',
    'host',
    'server',
    'ip地址',
    'ipアドレス',
  ],
  phrases: { version: VERSION_WORDS },
  look: lookForV4,
  find(page) {
    let done = 0
    const { numbers, length } = page.anchors.colons
    for (let at = 0; at < length; at++) {
      const colon = numbers[at] as number
      if (colon < done) continue
      done = findV6(page, colon)
    }
  },
  examples: [
    'from «203.0.113.42» again',
    'server «10.1.2.3»:8080',
    'IP «192.168.1.17».',
    'via «2001:db8::ff00:42:8329» today',
    '[«2001:db8:85a3::8a2e:370:7334»]:443',
    'link «fe80::1ff:fe23:4567:890a»%eth0',
    'mapped «::ffff:203.0.113.9»',
  ],
  counterExamples: [
    'version 1.2.3.4 is out',
    'v1.2.3.4',
    'listen on 127.0.0.1 and ::1',
    'mask 255.255.255.0',
    'route 10.0.0.0/8',
    'at 12:30:45 sharp',
    'std::vector<a::b>',
    '1.3.6.1.4.1.311',
    'Build 10.0.19041.388',
    'Chrome/126.0.0.0 Safari/537.36',
    'of IPv6 only 2000::/3 is assigned',
  ],
}

function lookForV4(page: Page, token: number): Candidate | undefined {
  const { text } = page
  const start = page.tokenStart(token)
  if (page.tokenEnd(token) - start > 3 || text.charCodeAt(page.tokenEnd(token)) !== 46) return
  const before = text.charCodeAt(start - 1)
  if (before === 46 || before === 45 || before === 95 || before === 44) return
  // `Chrome/126.0.0.0` is a version.
  if (before === 47 && /(?:^|[\s(])[A-Z][A-Za-z]+\/$/.test(text.slice(Math.max(0, start - 20), start))) return
  V4.lastIndex = start
  const match = V4.exec(text)
  if (!match || isSpecialV4(match[0], text, V4.lastIndex)) return
  const end = V4.lastIndex
  if (page.distance('version', start, end, BESIDE) < page.distance(TYPE, start, end)) return
  return { start, end, strength: 'alone' }
}

function isSpecialV4(address: string, text: string, end: number): boolean {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  if (a === 127 || a === 0 || a === 255 || (a >= 224 && a <= 239)) return true
  PREFIX.lastIndex = end
  const prefix = PREFIX.exec(text)
  if (!prefix) return false
  const bits = Number(prefix[1])
  const value = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  return bits < 32 && bits >= 1 && (value & (0xffffffff >>> bits)) === 0
}

/** Reads the address around a colon. Returns the place up to which the text has been read. */
function findV6(page: Page, colon: number): number {
  const { text } = page
  // Most colons follow a word.
  const next = text.charCodeAt(colon + 1)
  if (next !== COLON && !isHex(next)) return colon + 1
  let start = colon
  while (start > 0 && colon - start < 5 && isHex(text.charCodeAt(start - 1))) start--
  V6.lastIndex = start
  const match = V6.exec(text)
  if (!match) return colon + 1
  let end = V6.lastIndex
  const before = text.charCodeAt(start - 1)
  if (text.charCodeAt(end - 1) === COLON && text.charCodeAt(end - 2) !== COLON) end--
  const isWhole =
    end - start <= LONGEST_V6 &&
    !isAlphanumeric(text.charCodeAt(end)) &&
    !isAlphanumeric(before) &&
    before !== COLON
  // `2000::/3` is a network.
  if (text.startsWith('::/', end - 2)) return end
  if (isWhole && before !== 95 && isPersonalV6(text.slice(start, end))) page.add(TYPE, start, end, 'alone')
  return Math.max(end, colon + 1)
}

function isHex(code: number): boolean {
  return isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102)
}

function isPersonalV6(address: string): boolean {
  if (address.indexOf(':') === address.lastIndexOf(':')) return false
  const dotted = address.lastIndexOf(':') + 1
  const hasV4 = address.includes('.', dotted)
  const plain = hasV4 ? `${address.slice(0, dotted)}0:0` : address
  const gap = plain.indexOf('::')
  if (gap !== plain.lastIndexOf('::')) return false
  const groups = plain.split(':').filter((group) => group !== '')
  if (groups.some((group) => group.length > 4)) return false
  if (gap < 0 ? groups.length !== 8 || plain.endsWith(':') : groups.length > 7) return false
  if (hasV4) return groups.length > 2 && !address.endsWith('.0.0.0') && !address.includes(':127.0.0.')
  if (groups.length === 1 && gap === 0) return false
  if (groups.every((group) => /^0+$/.test(group))) return false
  return gap < 0 || isAssigned(groups[0] as string, gap, groups.length)
}

/** Tells whether a shortened address begins like addresses in use. A scope operator in program code does not. */
function isAssigned(first: string, gap: number, groups: number): boolean {
  if (gap === 0) return false
  const value = Number.parseInt(first, 16)
  const isUsed =
    (value >= 0x2000 && value <= 0x3fff) || (value >= 0xfc00 && value <= 0xfeff) || value === 0x64
  return first.length === 4 || value === 0x64 ? isUsed && (groups > 1 || value !== 0x64) : false
}
