import type { Block } from '../block.ts'
import type { Leave } from '../left-out.ts'
import { isObject, isText, type JsonObject, textBlocks } from './json-values.ts'

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const MOST_OPERATIONS = 5000
const MOST_FIELDS = 200
const MOST_STEPS = 10

export function isOpenApi(value: unknown): value is JsonObject {
  return isObject(value) && (isText(value.openapi) || isText(value.swagger)) && isObject(value.paths)
}

/**
 * Reads an OpenAPI document: a section for each operation, with its address, description, parameters, fields of its body
 * and answers.
 */
export function readOpenApi(document: JsonObject, leave: Leave): Block[] {
  const info = objectOf(document.info)
  const blocks: Block[] = []
  if (isText(info.title)) blocks.push({ kind: 'heading', level: 1, text: info.title })
  addText(info.description, 1)
  let operations = 0
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
    const parameters = [...shared, ...listOf(operation.parameters)].slice(0, MOST_FIELDS).map(resolved)
    addLines('Parameters:', parameters.map(parameterLine))
    const body = resolved(requestBody)
    const media = Object.values(objectOf(body.content)).map(objectOf)
    addLines('Body:', fieldLines(resolved(media[0]?.schema)))
    addLines(
      'Answers:',
      Object.entries(objectOf(responses)).map(([status, answer]) => named(status, resolved(answer))),
    )
  }

  function addText(text: unknown, level: number): void {
    if (isText(text)) for (const block of textBlocks(text, level)) blocks.push(block)
  }

  function addLines(lead: string, lines: readonly string[]): void {
    const told = lines.filter((line) => line !== '')
    if (told.length > 0) blocks.push({ kind: 'text', text: [lead, ...told].join('\n') })
  }

  function parameterLine(parameter: JsonObject): string {
    const { name, required } = parameter
    if (!isText(name)) return ''
    const place = isText(parameter.in) ? parameter.in : ''
    const about = [place, required === true ? 'required' : ''].filter((word) => word !== '').join(', ')
    return named(about === '' ? name : `${name} (${about})`, parameter)
  }

  function fieldLines(schema: JsonObject): string[] {
    const required = new Set(listOf(schema.required))
    return Object.entries(objectOf(schema.properties))
      .slice(0, MOST_FIELDS)
      .map(([name, field]) => named(required.has(name) ? `${name} (required)` : name, resolved(field)))
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

function named(name: string, { description, summary, title }: JsonObject): string {
  const text = [description, summary, title].find(isText) ?? ''
  return `- ${name}${text === '' ? '' : `: ${text.replace(/\s+/g, ' ').trim()}`}`
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
