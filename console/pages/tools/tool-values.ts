import type { HttpTool } from '../../api/types.ts'

/** A header that is not stored yet. */
export interface NewHeader {
  name: string
  value: string
}

/** A tool as it stands in its form. */
export interface ToolValues extends Record<string, unknown> {
  name: string
  description: string
  /** JSON. */
  parameters: string
  method: HttpTool['method']
  url: string
  /** JSON; empty: none. */
  body: string
  /** What becomes of each stored header: empty: it stays; null: it goes. */
  stored: Record<string, string | null>
  added: NewHeader[]
  idempotent: boolean
  active: boolean
}

const PARAMETERS = { type: 'object', properties: {}, required: [] }

/** @param tool null: it is new */
export function valuesOf(tool: HttpTool | null): ToolValues {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    parameters: asText(tool?.parameters ?? PARAMETERS),
    method: tool?.method ?? 'GET',
    url: tool?.url ?? '',
    body: asText(tool?.body ?? ''),
    stored: Object.fromEntries(Object.keys(tool?.headers ?? {}).map((name) => [name, ''])),
    added: [],
    idempotent: tool?.idempotent ?? true,
    active: tool?.active ?? true,
  }
}

/** What is sent to store a form. */
export function bodyOf({ stored, added, parameters, body, ...values }: ToolValues) {
  const changed = Object.entries(stored).filter(([, value]) => value !== '')
  const filled = added.filter(({ name, value }) => name !== '' || value !== '')
  return {
    ...values,
    parameters: JSON.parse(parameters),
    body: values.method === 'GET' || body.trim() === '' ? null : body,
    headers: Object.fromEntries([...changed, ...filled.map(({ name, value }) => [name.trim(), value])]),
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
