import { parseOrNull } from '../../../lib/parse-or-null.ts'
import { isObject, type JsonObject } from '../../../lib/untrusted-json.ts'

/** A question and its answer, or the name of an instruction and its steps. */
export interface LinkedEntry {
  name: string
  /** The answer, which may be HTML. */
  text: string
}

const MOST_VALUES = 50_000
const MOST_ENTRIES = 500
const LONGEST_NAME = 500

/** Reads the questions with answers (`FAQPage`, `QAPage`) and the instructions (`HowTo`) of a page's JSON-LD. */
export function readJsonLd(json: string): LinkedEntry[] {
  const entries: LinkedEntry[] = []
  let left = MOST_VALUES
  const waiting: unknown[] = [parseOrNull(json)]
  while (waiting.length > 0 && left-- > 0 && entries.length < MOST_ENTRIES) {
    const value = waiting.pop()
    if (Array.isArray(value)) waiting.push(...value.slice(0, left).reverse())
    if (!isObject(value)) continue
    const name = textOf(value.name).slice(0, LONGEST_NAME)
    const text = isA(value, 'Question') ? answerOf(value) : isA(value, 'HowTo') ? stepsOf(value) : ''
    if (name !== '' && text !== '') entries.push({ name, text })
    else waiting.push(...Object.values(value).filter(isNested).slice(0, left).reverse())
  }
  return entries
}

function answerOf({ acceptedAnswer, suggestedAnswer }: JsonObject): string {
  const [answer] = [acceptedAnswer, suggestedAnswer].flat().filter(isObject)
  return textOf(answer?.text)
}

function stepsOf({ step }: JsonObject): string {
  const sections = [step].flat().filter((one) => isObject(one) || typeof one === 'string')
  const steps = sections.flatMap((one) =>
    isObject(one) && one.itemListElement ? [one.itemListElement].flat() : [one],
  )
  return steps
    .map((one) =>
      isObject(one)
        ? [...new Set([textOf(one.name), textOf(one.text)])].filter(Boolean).join(': ')
        : textOf(one),
    )
    .filter((step) => step !== '')
    .map((step, at) => `${at + 1}. ${step}`)
    .join('\n')
}

function isA(node: JsonObject, type: string): boolean {
  return [node['@type']].flat().includes(type)
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
