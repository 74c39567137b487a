import { isObject, type JsonObject, toObject } from '../../../lib/untrusted-json.ts'
import type { Block } from '../block.ts'
import type { Leave } from '../left-out.ts'
import { isText, textBlocks } from './json-values.ts'

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const MOST_OPERATIONS = 5000
const MOST_FIELDS = 200
const MOST_STEPS = 10
/** The most characters of an operation's parameters, fields and answers. References can repeat them in each operation. */
const LONGEST_OPERATION = 20_000
/** The same of all operations: so many, and a few times the length of the document. */
const LONGEST_REPEATED = 20_000
const MOST_TIMES = 4

/** A line about something that has a name. */
interface Line {
  name: string
  text: string
}

export function isOpenApi(value: unknown): value is JsonObject {
  return isObject(value) && (isText(value.openapi) || isText(value.swagger)) && isObject(value.paths)
}

/**
 * Reads an OpenAPI document: a section for each operation, with its address, description, parameters, fields of its body
 * and answers.
 * @param length the characters of the whole document
 */
export function readOpenApi(document: JsonObject, length: number, leave: Leave): Block[] {
  const info = objectOf(document.info)
  const blocks: Block[] = []
  if (isText(info.title)) blocks.push({ kind: 'heading', level: 1, text: info.title })
  addText(info.description, 1)
  let operations = 0
  let left = LONGEST_REPEATED + MOST_TIMES * length
  for (const [path, item] of Object.entries(objectOf(document.paths))) {
    const shared = listOf(objectOf(item).parameters)
    for (const [method, operation] of Object.entries(objectOf(item))) {
      if (!METHODS.has(method) || !isObject(operation)) continue
      if (operations++ < MOST_OPERATIONS) addOperation(`${method.toUpperCase()} ${path}`, operation, shared)
    }
  }
  if (operations > MOST_OPERATIONS) leave('left_out_rest', MOST_OPERATIONS)
  return blocks

  function addOperation(address: string, operation: JsonObject, shared: readonly unknown[]): void {
    const { summary, operationId, description, requestBody, responses } = operation
    const name = [summary, operationId].find(isText) ?? ''
    blocks.push({ kind: 'heading', level: 2, text: name === '' ? address : `${name} (${address})` })
    blocks.push({ kind: 'text', text: `${address}${operation.deprecated === true ? ' (deprecated)' : ''}` })
    addText(description, 2)
    const most = Math.min(left, LONGEST_OPERATION)
    let ofOperation = most
    const parameters = [...shared, ...listOf(operation.parameters)].values().map(resolved)
    addLines('Parameters:', parameters.map(parameterLine))
    const body = resolved(requestBody)
    const media = Object.values(objectOf(body.content)).map(objectOf)
    addLines('Body:', fieldLines(resolved(media[0]?.schema)))
    const answers = Object.entries(objectOf(responses)).values()
    addLines(
      'Answers:',
      answers.map(([status, answer]) => named(status, resolved(answer))),
    )
    left -= most - ofOperation

    function addLines(lead: string, lines: Iterable<Line>): void {
      const told: string[] = []
      for (const { name, text } of lines) {
        if (name === '') continue
        const size = name.length + text.length
        if (told.length === MOST_FIELDS || size > ofOperation) {
          leave('left_out_fields')
          continue
        }
        ofOperation -= size
        told.push(`- ${name}${text === '' ? '' : `: ${text.replace(/\s+/g, ' ').trim()}`}`)
      }
      if (told.length > 0) blocks.push({ kind: 'text', text: [lead, ...told].join('\n') })
    }
  }

  function addText(text: unknown, level: number): void {
    if (isText(text)) for (const block of textBlocks(text, level)) blocks.push(block)
  }

  function parameterLine(parameter: JsonObject): Line {
    const { name, required } = parameter
    if (!isText(name)) return { name: '', text: '' }
    const place = isText(parameter.in) ? parameter.in : ''
    const about = [place, required === true ? 'required' : ''].filter((word) => word !== '').join(', ')
    return named(about === '' ? name : `${name} (${about})`, parameter)
  }

  /** Returns a line for each field of a schema, of those that it is made of, and of the items of a list. */
  function* fieldLines(whole: JsonObject): Iterable<Line> {
    const schemas = new Set([whole])
    const told = new Set<string>()
    for (const schema of schemas) {
      const required = new Set(listOf(schema.required))
      for (const [name, field] of Object.entries(objectOf(schema.properties))) {
        if (told.has(name)) continue
        told.add(name)
        yield named(required.has(name) ? `${name} (required)` : name, resolved(field))
      }
      const { allOf, oneOf, anyOf, items } = schema
      const parts = [allOf, oneOf, anyOf, [items]].flatMap(listOf).filter(isObject)
      for (const part of parts) schemas.add(resolved(part))
    }
  }

  /** Follows references within the document. Those to other files are never read. */
  function resolved(value: unknown): JsonObject {
    let found = objectOf(value)
    for (let steps = 0; steps < MOST_STEPS && isText(found.$ref) && found.$ref.startsWith('#/'); steps++) {
      let target: unknown = document
      for (const key of found.$ref.slice(2).split('/', MOST_STEPS))
        target = objectOf(target)[key.replaceAll('~1', '/').replaceAll('~0', '~')]
      found = objectOf(target)
    }
    return found
  }
}

function named(name: string, { description, summary, title }: JsonObject): Line {
  return { name, text: [description, summary, title].find(isText) ?? '' }
}

function objectOf(value: unknown): JsonObject {
  return toObject(value) ?? {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
