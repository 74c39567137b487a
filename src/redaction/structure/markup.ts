import { addField, type FieldFound } from './field.ts'
import { type Key, keyOf, kindOfKey, readKey } from './keys.ts'

const ELEMENT = /<([\p{L}][\p{L}\d_.:-]{0,43})(?:\s[^<>]{0,200})?>([^<>]{1,200})<\//gu
const CONTACT_CARD = /^(?:item\d\.)?(FN|N|NICKNAME|ADR|LABEL)((?:;[^:\n]{0,60}){0,4}):([^\n]{1,200})/gim
const ADDRESS_IN_ANGLES = /<(?:mailto:)?(?:[^\s<>@]{1,64}@|\[EMAIL)/g
/** A name at the end of what stands before an address in angle brackets. */
const NAME_BEFORE =
  /(?:[:,;\n>(]|^)[^\S\n]{0,3}["']?((?!\p{M})[\p{L}\p{M}][\p{L}\p{M}.'’-]{0,30}(?:,? [\p{L}\p{M}.'’-]{1,30}){0,4})["']?[^\S\n]{0,2}$/u
const NAME_REACH = 170
const INSERT = /insert\s{1,4}into\s{1,4}([^\s(]{1,80})\s{0,4}\(([^()]{1,2000})\)\s{0,4}values?\s{0,4}(?=\()/gi
const TUPLE = /\s{0,4},?\s{0,4}\(/y
const SQL_VALUE =
  /\s{0,4}(?:[NE]?'((?:[^'\\]|''|\\.){0,2000})'|"([^"]{0,2000})"|([^,()'"\s]{1,100}))\s{0,4}(,|\))/y

const NAME: Key = { key: 'full name', kind: 'PERSON' }
const ADDRESS: Key = { key: 'home address', kind: 'LOCATION' }

/** Reads the elements of XML and HTML whose name is a known key. */
export function readElements(text: string, found: FieldFound): void {
  for (const match of text.matchAll(ELEMENT)) {
    const [whole, tag = '', content = ''] = match
    const key = readKey(tag.slice(tag.indexOf(':') + 1))
    if (!key) continue
    const start = match.index + whole.length - 2 - content.length
    addField(text, key, start, start + content.length, true, found)
  }
}

/** Reads the names and addresses of contact cards (RFC 6350). The parts of a name stand between semicolons. */
export function readContactCards(text: string, found: FieldFound): void {
  for (const match of text.matchAll(CONTACT_CARD)) {
    const [whole, name = '', , value = ''] = match
    const isAddress = /^(?:ADR|LABEL)$/i.test(name)
    let at = match.index + whole.length - value.length
    for (const part of isAddress ? [value.replace(/;+\s*$/, '')] : value.split(/[;,]/)) {
      const from = isAddress ? at + (/^;*/.exec(part)?.[0].length ?? 0) : at
      addField(text, isAddress ? ADDRESS : NAME, from, at + part.length, true, found)
      at += part.length + 1
    }
  }
}

/** Reads the names before addresses in angle brackets, as in the heads of messages. */
export function readMailboxes(text: string, found: FieldFound): void {
  for (const { index } of text.matchAll(ADDRESS_IN_ANGLES)) {
    const from = Math.max(0, index - NAME_REACH)
    const match = NAME_BEFORE.exec(text.slice(from, index))
    const [whole = '', name = ''] = match ?? []
    // A name that begins where the reach does may be the end of a longer one.
    if (!match || (match.index === 0 && from > 0 && !/^[:,;\n>(]/.test(whole))) continue
    const start = from + match.index + whole.indexOf(name)
    addField(text, NAME, start, start + name.length, true, found)
  }
}

/** Reads the values of SQL's `INSERT INTO … (…) VALUES (…), (…)`. */
export function readInserts(text: string, found: FieldFound): void {
  for (const match of text.matchAll(INSERT)) {
    const table = plainName(match[1] as string)
      .replace(/^.*\./, '')
      .replace(/s$/i, '')
    const columns = (match[2] as string).split(',').map((name) => columnOf(table, plainName(name)))
    let at = match.index + match[0].length
    for (;;) {
      TUPLE.lastIndex = at
      if (!TUPLE.test(text)) break
      at = readTuple(text, columns, TUPLE.lastIndex, found)
    }
  }
}

const plainName = (name: string) => name.replace(/[\s"'`[\]]/g, '')

/** Returns the key of a column. In a table of people, what is called a name or an address is theirs. */
function columnOf(table: string, name: string): Key {
  const ofTable = keyOf(`${table} ${name}`)
  const isWeak = kindOfKey(name) === 'person' || kindOfKey(name) === 'place'
  return isWeak && ofTable.kind ? ofTable : keyOf(name)
}

function readTuple(text: string, columns: Key[], from: number, found: FieldFound): number {
  let at = from
  for (let column = 0; ; column++) {
    SQL_VALUE.lastIndex = at
    const match = SQL_VALUE.exec(text)
    if (!match) return at
    const value = match[1] ?? match[2] ?? match[3] ?? ''
    const start = at + match[0].indexOf(value, match[0].search(/['"]/) + 1)
    const key = columns[column]
    if (key?.key && value) addField(text, key, start, start + value.length, true, found)
    at = SQL_VALUE.lastIndex
    if (match[4] === ')') return at
  }
}
