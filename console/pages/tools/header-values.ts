import type { Tool } from '../../api/types.ts'

/** The headers of a tool as they stand in its form. */
export interface HeaderValues {
  /** What becomes of each stored header: empty: it stays; null: it goes. */
  stored: Record<string, string | null>
  /** Headers that are not stored yet. */
  added: { name: string; value: string }[]
}

/** @param tool null: it is new */
export function headerValuesOf(tool: Tool | null): HeaderValues {
  return {
    stored: Object.fromEntries(Object.keys(tool?.headers ?? {}).map((name) => [name, ''])),
    added: [],
  }
}

/** The headers of a request that stores a form. */
export function headersOf({ stored, added }: HeaderValues): Record<string, string | null> {
  const changed = Object.entries(stored).filter(([, value]) => value !== '')
  const filled = added.filter(({ name, value }) => name !== '' || value !== '')
  return Object.fromEntries([...changed, ...filled.map(({ name, value }) => [name.trim(), value])])
}
