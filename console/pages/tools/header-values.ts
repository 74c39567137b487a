import type { Tool } from '../../api/types.ts'

/** The headers of a tool in its form. */
export interface HeaderValues {
  /** The change of each stored header: an empty text keeps it, null removes it. */
  stored: Record<string, string | null>
  /** Headers that are not stored yet. */
  added: { name: string; value: string }[]
}

/** Returns the values of the form. @param tool null for a new one */
export function headerValuesOf(tool: Tool | null): HeaderValues {
  return {
    stored: Object.fromEntries(Object.keys(tool?.headers ?? {}).map((name) => [name, ''])),
    added: [],
  }
}

/** Returns the headers of a request that stores a form. */
export function headersOf({ stored, added }: HeaderValues): Record<string, string | null> {
  const changed = Object.entries(stored).filter(([, value]) => value !== '')
  const filled = added.filter(({ name, value }) => name !== '' || value !== '')
  return Object.fromEntries([...changed, ...filled.map(({ name, value }) => [name.trim(), value])])
}
