import type { Finding } from '../engine/finding.ts'
import type { Page } from '../engine/page.ts'
import type { Field } from './field.ts'
import { readContactCards, readElements, readInserts, readMailboxes } from './markup.ts'
import { readPairs } from './pairs.ts'
import { readHtmlTables, readLines } from './tables.ts'
import { canBeName, canBePlace } from './values.ts'

/** The number of fields, and of characters, around a field within which others belong to the same record. */
const RECORD = 12
const RECORD_REACH = 800

/**
 * Reads the forms, records and tables of a text, in which a key says what a value is, and records what it finds.
 * @param findIn finds personal data in a short text: a key with its value
 */
export function readStructure(
  page: Page,
  types: ReadonlySet<string>,
  findIn: (text: string) => Finding[],
): void {
  const fields = fieldsOf(page)
  if (fields.length === 0) return
  fields.forEach((field, index) => {
    const value = page.text.slice(field.start, field.end)
    // A value with a placeholder has been redacted already.
    if (value.includes('[')) return
    const type = typeOf(fields, index, value)
    if (type && types.has(type)) page.add(type, field.start, field.end, 'checked')
    else if (field.isApart && /[\d@]/.test(value)) addInner(page, field, value, findIn)
  })
}

function fieldsOf(page: Page): Field[] {
  const { text } = page
  const fields: Field[] = []
  const found = (field: Field) => fields.push(field)
  readPairs(text, page.pairSigns(), found)
  if (text.includes('\n')) readLines(text, found)
  if (page.anchors.ats.length > 0 && text.includes('<')) readMailboxes(text, found)
  if (text.includes('</')) {
    readElements(text, found)
    if (/<t[hd]/i.test(text)) readHtmlTables(text, found)
  }
  if (text.includes('(') && /insert\s/i.test(text)) readInserts(text, found)
  if (page.anchors.colons.length > 2 && /begin:vcard/i.test(text)) readContactCards(text, found)
  return fields.sort((a, b) => a.start - b.start)
}

function typeOf(fields: readonly Field[], index: number, value: string): 'PERSON' | 'LOCATION' | undefined {
  const { kind } = fields[index] as Field
  if (kind === 'PERSON') return canBeName(value) ? kind : undefined
  if (kind === 'person') return canBeName(value) && isOfPerson(fields, index) ? 'PERSON' : undefined
  if (kind !== 'LOCATION' && kind !== 'place') return
  if (!canBePlace(value)) return
  const isWhole = kind === 'LOCATION' && /\d/.test(value)
  return isWhole || isOfPerson(fields, index) ? 'LOCATION' : undefined
}

/** Tells whether the record around a field belongs to a person: another key of it says so. */
function isOfPerson(fields: readonly Field[], index: number): boolean {
  const { start, key } = fields[index] as Field
  for (let at = Math.max(0, index - RECORD); at <= index + RECORD && at < fields.length; at++) {
    const other = fields[at] as Field
    const isStrong = other.kind === 'PERSON' || other.kind === 'LOCATION' || other.kind === 'contact'
    if (isStrong && other.key !== key && Math.abs(other.start - start) < RECORD_REACH) return true
  }
  return false
}

/** Adds what is found in a value together with its key, which stands elsewhere in the text. */
function addInner(
  page: Page,
  { key, start }: Field,
  value: string,
  findIn: (text: string) => Finding[],
): void {
  const label = `${key.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/[_.-]+/g, ' ')}: `
  for (const finding of findIn(label + value)) {
    if (finding.start < label.length) continue
    page.add(
      finding.type,
      start + finding.start - label.length,
      start + finding.end - label.length,
      finding.strength,
    )
  }
}
