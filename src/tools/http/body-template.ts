import { isObject } from '../../lib/untrusted-json.ts'
import { namesIn, splitTemplate, TemplateError, textOf } from './placeholders.ts'

/** A JSON body with places for arguments in its strings. */
interface BodyTemplate {
  names: string[]
  /** The body as JSON text. */
  fill(values: ReadonlyMap<string, unknown>): string
}

const DEEPEST = 20

/**
 * Reads the template of a body: JSON, as a text or a value. Arguments fill its strings and cannot leave them.
 * @throws TemplateError
 */
export function readBodyTemplate(given: unknown): BodyTemplate {
  const body = typeof given === 'string' ? parse(given) : given
  const names = new Set<string>()
  collect(body, 0)

  function collect(value: unknown, depth: number): void {
    if (depth > DEEPEST) throw new TemplateError(`must be nested at most ${DEEPEST} deep`)
    if (typeof value === 'string') for (const name of namesIn(splitTemplate(value))) names.add(name)
    else if (Array.isArray(value)) for (const item of value) collect(item, depth + 1)
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) {
        if (namesIn(splitTemplate(key)).length > 0)
          throw new TemplateError('must have placeholders in values only, not in names')
        collect(item, depth + 1)
      }
  }

  return { names: [...names], fill: (values) => JSON.stringify(fill(body, values) ?? null) }
}

/** Fills the strings of a value. @returns undefined for a string that is only a placeholder whose argument is absent */
function fill(value: unknown, values: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return fillString(value, values)
  if (Array.isArray(value))
    return value.map((item) => fill(item, values)).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const filled = fill(item, values)
      return filled === undefined ? [] : [[key, filled]]
    }),
  )
}

function fillString(text: string, values: ReadonlyMap<string, unknown>): string | undefined {
  const parts = splitTemplate(text)
  const isAbsent = (name = '') => values.get(name) === undefined || values.get(name) === null
  if (parts.length === 3 && parts[0] === '' && parts[2] === '' && isAbsent(parts[1])) return undefined
  return parts
    .map((part, at) => (at % 2 === 0 ? part : isAbsent(part) ? '' : textOf(values.get(part))))
    .join('')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TemplateError('must be JSON, with placeholders inside its strings, such as {"q": "{query}"}')
  }
}
