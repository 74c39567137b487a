import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../api/session.ts'
import type { SavedView } from '../../api/types.ts'
import { bulkFilterOf, type InboxSearch, inboxSearch } from './inbox-search.ts'

/** The pause after which the counts of views are read again while the page is looked at. */
const AGAIN_MS = 60_000

const none: readonly SavedView[] = []

/** Returns the saved views of the inbox: those of everybody, then the person's own. */
export function useSavedViews(): readonly SavedView[] {
  const { api, key } = useAgent()
  const { data = none } = useQuery({
    queryKey: key('inbox', 'views'),
    queryFn: async () => (await api.get('/views')).data,
    refetchInterval: AGAIN_MS,
  })
  return data
}

/** Returns the part of a search that a view keeps: all but users and words. */
export function keptOf({ user: _, q: _q, ...kept }: InboxSearch): InboxSearch {
  return kept
}

/** Returns the query of a view that shows the same as the page does, as far as a view keeps it. */
export function savedQueryOf(search: InboxSearch): SavedView['query'] {
  const kept = keptOf(search)
  const query = bulkFilterOf(kept) as SavedView['query']
  return kept.sort ? { ...query, sort: kept.sort } : query
}

/** Returns the part of the inbox that a view shows. */
export function searchOfView({ query: { channel_id: channel, ...query } }: SavedView): InboxSearch {
  return inboxSearch({ ...query, channel })
}

/** Tells whether the page shows what a view does. */
export function isShown(view: SavedView, search: InboxSearch): boolean {
  return sorted(searchOfView(view)) === sorted(search)
}

function sorted(search: InboxSearch): string {
  const { view = 'open', sort = 'latest' } = search
  return JSON.stringify(Object.entries({ ...search, view, sort }).sort(([a], [b]) => (a < b ? -1 : 1)))
}
