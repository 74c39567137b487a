import { useState } from 'react'
import type { BulkFilter } from '../../../api/types.ts'
import type { BulkTarget } from '../bulk/use-bulk.ts'

/** Which rows are selected: some by their ids, or all that match, also those that were not read. */
export function useSelection(rows: readonly { id: string }[], filter: BulkFilter) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isAll, setAll] = useState(false)
  const [latest, setLatest] = useState<string | null>(null)
  const target: BulkTarget = isAll ? { filter } : { ids: [...ids] }
  return {
    count: isAll ? null : ids.size,
    isEmpty: !isAll && ids.size === 0,
    target,
    has: (id: string) => isAll || ids.has(id),
    /** @param isRange also all between this row and the one that was selected last */
    toggle(id: string, isRange: boolean) {
      // One of all is taken out: what is left are the rows that were read.
      const next = new Set(isAll ? rows.map((row) => row.id) : ids)
      setAll(false)
      setLatest(id)
      const from = rows.findIndex((row) => row.id === latest)
      const to = rows.findIndex((row) => row.id === id)
      if (isRange && from >= 0 && to >= 0)
        for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(row.id)
      else if (!next.delete(id)) next.add(id)
      setIds(next)
    },
    all: () => setAll(true),
    clear() {
      setIds(new Set())
      setAll(false)
      setLatest(null)
    },
  }
}
