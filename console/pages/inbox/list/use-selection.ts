import { useState } from 'react'
import type { BulkFilter, InboxItem } from '../../../api/types.ts'
import type { BulkTarget } from '../bulk/use-bulk.ts'

type Row = Pick<InboxItem, 'id' | 'ended_at'>

export type Selection = ReturnType<typeof useSelection>

/** The selected rows: some by id, or all that match, including those that were not read. */
export function useSelection(rows: readonly Row[], filter: BulkFilter) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isAll, setAll] = useState(false)
  const [latest, setLatest] = useState<string | null>(null)
  /** The ended conversations among those selected by id. */
  const ended = new Set(rows.flatMap(({ id, ended_at }) => (ended_at !== null && ids.has(id) ? id : [])))
  const target: BulkTarget = isAll ? { filter } : { ids: [...ids] }
  return {
    isAll,
    count: ids.size,
    ended: ended.size,
    /** Returns the part of the selection that has ended, or the part that has not. */
    part: (isEnded: boolean): BulkTarget =>
      isAll
        ? { filter: filter.view === 'all' ? { ...filter, view: isEnded ? 'ended' : 'open' } : filter }
        : { ids: [...ids].filter((id) => ended.has(id) === isEnded) },
    isEmpty: !isAll && ids.size === 0,
    target,
    has: (id: string) => isAll || ids.has(id),
    /** Selects or deselects a row. @param isRange true to select all between it and the one selected last */
    toggle(id: string, isRange: boolean) {
      // When one row is taken out of all, the rows that were read remain.
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
