import { isObject, type JsonObject } from '../../../lib/untrusted-json.ts'
import { because } from '../../reasons.ts'
import type { Block } from '../block.ts'
import { ANSWER, QUESTION } from '../csv.ts'
import type { Leave } from '../left-out.ts'
import { tableBlock } from '../table-block.ts'
import { Unreadable } from '../unreadable.ts'
import { isNested, isText, textBlocks, toMarkdown } from './json-values.ts'
import { isOpenApi, readOpenApi } from './openapi.ts'

const MOST_ENTRIES = 20_000
const DEEPEST = 12
/** The maximum length of a text that stands in a line with its name. A longer one has paragraphs of its own. */
const LONGEST_LINE = 300
const LONGEST_NAME = 500
const NAMES = /^(?:title|name|heading|headline|subject|label|summary)$/i
const TEXTS = /^(?:content|body|text|description|html|markdown|answer_html|article)$/i
const WAYS = /^(?:questions|alternates|alternatives|variants|phrases|utterances|synonyms)$/i
const TECHNICAL =
  /^(?:@?type|@?id|_id|uuid|key|slug|url|link|href|image|icon|created_?at|updated_?at|\$schema|hash|etag)$/i

/**
 * Reads JSON, or JSON Lines. Objects with a question and an answer, or with a title and a text, are entries; an OpenAPI
 * document has a section for each operation; anything else becomes sections and lines named by their keys.
 * @throws Unreadable for broken JSON, and for JSON that holds no text
 */
export function readJson(source: string, leave: Leave = () => {}): Block[] {
  const value = parseJson(source.replace(/^\uFEFF/, ''))
  const blocks = isOpenApi(value) ? readOpenApi(value, source.length, leave) : readValue(value, leave)
  if (!blocks.some((block) => block.kind === 'text' && /\p{L}/u.test(block.text)))
    throw new Unreadable(because('only_data'))
  return blocks
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    const lines = source.split('\n')
    const values: unknown[] = []
    for (const [at, line] of lines.entries()) {
      if (line.trim() === '') continue
      try {
        values.push(JSON.parse(line))
      } catch {
        const reason =
          values.length > 0 ? because('broken_json_line', { line: at + 1 }) : because('broken_json')
        throw new Unreadable(reason)
      }
    }
    return values
  }
}

function readValue(value: unknown, leave: Leave): Block[] {
  const blocks: Block[] = []
  let entries = 0
  visit(value, 1)
  if (entries > MOST_ENTRIES) leave('left_out_rest', MOST_ENTRIES)
  return blocks

  function visit(value: unknown, level: number): void {
    if (entries++ >= MOST_ENTRIES || level > DEEPEST) return
    if (Array.isArray(value)) visitList(value, level)
    else if (isObject(value)) visitObject(value, level)
    else if (isText(value)) addAll(textBlocks(value, level))
  }

  function addAll(added: readonly Block[]): void {
    for (const block of added) blocks.push(block)
  }

  function visitObject(value: JsonObject, level: number): void {
    const entry = entryOf(value)
    if (entry) {
      const { name, text, questions } = entry
      blocks.push({ kind: 'heading', level, text: name, ...(questions.length > 0 ? { questions } : {}) })
      addAll(textBlocks(text, level))
    }
    const rest = Object.entries(value).filter(([key]) => !entry?.keys.has(key))
    const lines = rest.flatMap(([key, inner]) => {
      const line = lineOf(inner)
      return line === null || (entry && TECHNICAL.test(key)) ? [] : [`- ${spaced(key)}: ${line}`]
    })
    if (lines.length > 0) blocks.push({ kind: 'text', text: lines.join('\n') })
    for (const [key, inner] of rest) {
      if (lineOf(inner) !== null || !holdsText(inner) || entries >= MOST_ENTRIES) continue
      const isList = Array.isArray(inner) && inner.some((one) => isObject(one) && entryOf(one))
      blocks.push({ kind: 'heading', level: level + Number(entry !== null), text: spaced(key) })
      visit(inner, level + 1 + Number(entry !== null && !isList))
    }
  }

  function visitList(list: readonly unknown[], level: number): void {
    const objects = list.filter(isObject)
    const isTable =
      objects.length > 1 &&
      objects.length === list.length &&
      objects.every((one) => !entryOf(one) && Object.values(one).every((inner) => !isNested(inner)))
    if (!isTable) {
      for (const inner of list) visit(inner, level + Number(Array.isArray(inner)))
      return
    }
    entries += list.length
    const shown = objects.slice(0, MOST_ENTRIES)
    const columns = [...new Set(shown.flatMap((one) => Object.keys(one)))].slice(0, MOST_COLUMNS)
    const rows = shown.map((one) => columns.map((column) => cellOf(one[column])))
    if (rows.flat().some((cell) => /\p{L}/u.test(cell)))
      blocks.push(tableBlock('', columns.map(spaced), rows))
  }
}

const MOST_COLUMNS = 40

interface Entry {
  name: string
  text: string
  questions: string[]
  keys: ReadonlySet<string>
}

/** Returns an object as an entry: a question with its answer, or a title with its text. Null: it is none. */
function entryOf(value: JsonObject): Entry | null {
  const keys = Object.keys(value)
  const texts = keys.filter((key) => isText(value[key]))
  const named = texts.find((key) => QUESTION.test(key)) ?? texts.find((key) => NAMES.test(key))
  const told =
    texts.find((key) => key !== named && ANSWER.test(key)) ??
    texts.find((key) => key !== named && TEXTS.test(key))
  if (named === undefined || told === undefined) return null
  const ways = keys.filter((key) => WAYS.test(key))
  const questions = ways.flatMap((key) => [value[key]].flat().filter(isText)).slice(0, MOST_WAYS)
  const name = String(value[named]).replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME)
  return { name, text: String(value[told]), questions, keys: new Set([named, told, ...ways]) }
}

const MOST_WAYS = 100

/** Returns a value as a cell of a table, in one line however long it is. */
function cellOf(value: unknown): string {
  return isText(value) ? inOneLine(value) : (lineOf(value) ?? '')
}

function inOneLine(text: string): string {
  return toMarkdown(text).replace(/\s+/g, ' ').trim()
}

/** Returns a value that stands in one line; null: it does not. */
function lineOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) {
    const isFlat = value.length > 0 && value.every((one) => !isNested(one)) && value.some(isText)
    const line = isFlat ? value.join(', ') : ''
    return line !== '' && line.length <= LONGEST_LINE ? inOneLine(line) : null
  }
  if (!isText(value) || value.length > LONGEST_LINE) return null
  const line = toMarkdown(value).trim()
  return line.includes('\n') ? null : line
}

function holdsText(value: unknown): boolean {
  return isText(value) || isNested(value)
}

/** Writes a key as words: `maxItems` and `max_items` as `max items`. */
function spaced(key: string): string {
  const words = key
    .slice(0, LONGEST_NAME)
    .replace(/[_-]+/g, ' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  return words.trim() || key
}
