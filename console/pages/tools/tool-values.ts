import type { HttpTool } from '../../api/types.ts'
import { type HeaderValues, headersOf, headerValuesOf } from './header-values.ts'

/** The values of a tool in its form. */
interface ToolValues extends HeaderValues, Record<string, unknown> {
  name: string
  description: string
  /** The JSON Schema of the arguments, as text. */
  parameters: string
  method: HttpTool['method']
  url: string
  /** JSON; empty for no body. */
  body: string
  idempotent: boolean
  /** True if calls get values where the model was sent placeholders. */
  restore: boolean
  /** Empty to require the proof that the templates need. */
  requires: HttpTool['requires'] | ''
  active: boolean
}

const PARAMETERS = { type: 'object', properties: {}, required: [] }

/** Returns the values of the form. @param tool null for a new one */
export function valuesOf(tool: HttpTool | null): ToolValues {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    parameters: asText(tool?.parameters ?? PARAMETERS),
    method: tool?.method ?? 'GET',
    url: tool?.url ?? '',
    body: asText(tool?.body ?? ''),
    ...headerValuesOf(tool),
    idempotent: tool?.idempotent ?? true,
    restore: tool?.restore ?? true,
    requires: tool?.requires ?? '',
    active: tool?.active ?? true,
  }
}

/** Returns the body of a request that stores a form. */
export function bodyOf({ stored, added, parameters, body, requires, ...values }: ToolValues) {
  return {
    ...values,
    ...(requires === '' ? {} : { requires }),
    parameters: JSON.parse(parameters),
    body: values.method === 'GET' || body.trim() === '' ? null : body,
    headers: headersOf({ stored, added }),
  }
}

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
