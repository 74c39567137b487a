import { ApiError, invalidField } from '../errors.ts'
import { requireJsonBounds } from './json-bounds.ts'

/**
 * Reads a JSON text from outside, such as the body of a request. Every text and name in the result can be stored: half
 * of a surrogate pair becomes U+FFFD.
 * @param place the field that holds the text; empty for the body itself
 * @throws ApiError invalid_json; invalid_request for a text beyond the bounds, and for NUL, which PostgreSQL does not
 * accept
 */
export function readJson(json: Uint8Array, place = ''): unknown {
  const { value, text } = parse(json)
  // JSON writes these characters as escapes, so a text without escapes cannot contain them.
  if (!text.includes('\\u') && !text.includes('__proto__')) return value
  return storable(value, place === '' ? [] : [place])
}

/**
 * Reads a JSON text within the bounds.
 * @throws ApiError invalid_json, invalid_request
 */
export function parseJson(json: Uint8Array): unknown {
  return parse(json).value
}

function parse(json: Uint8Array): { value: unknown; text: string } {
  requireJsonBounds(json)
  const text = new TextDecoder().decode(json)
  try {
    return { value: JSON.parse(text), text }
  } catch {
    throw new ApiError('invalid_json')
  }
}

/** @param path the names that lead to the value */
function storable(value: unknown, path: string[]): unknown {
  if (typeof value === 'string') return storableText(value, path)
  if (typeof value !== 'object' || value === null) return value
  const parts = value as Record<string, unknown>
  for (const name of Object.keys(parts)) {
    path.push(name)
    // If such an object were merged into another, it would change the other's prototype.
    if (name === '__proto__') throw invalidField(path.join('.'), 'is a name that no field may have')
    const part = parts[name]
    const [storableName, storablePart] = [storableText(name, path), storable(part, path)]
    if (storableName !== name) delete parts[name]
    if (storableName !== name || storablePart !== part) parts[storableName] = storablePart
    path.pop()
  }
  return value
}

function storableText(text: string, path: string[]): string {
  if (text.includes('\u0000')) throw invalidField(path.join('.'), 'must not contain a NUL character')
  return text.toWellFormed()
}
