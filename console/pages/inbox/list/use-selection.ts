import { useState } from 'react'
import type { BulkFilter, InboxItem } from '../../../api/types.ts'
import type { BulkTarget } from '../bulk/use-bulk.tsx'

type Row = Pick<InboxItem, 'id' | 'ended_at'>

/** Which rows are selected: some by their ids, or all that match, also those that were not read. */
export function useSelection(rows: readonly Row[], filter: BulkFilter) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isAll, setAll] = useState(false)
  const [latest, setLatest] = useState<string | null>(null)
  /** The ended ones among those that are selected by their ids. */
  const ended = new Set(rows.flatMap(({ id, ended_at }) => (ended_at !== null && ids.has(id) ? id : [])))
  const target: BulkTarget = isAll ? { filter } : { ids: [...ids] }
  return {
    isAll,
    count: ids.size,
    ended: ended.size,
    /** Those that have not ended, or those that have. */
    part: (isEnded: boolean): BulkTarget =>
      isAll
        ? { filter: filter.view === 'all' ? { ...filter, view: isEnded ? 'ended' : 'open' } : filter }
        : { ids: [...ids].filter((id) => ended.has(id) === isEnded) },
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
