import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAgent } from '../../../api/session.ts'
import type { KnowledgeImport } from '../../../api/types.ts'

/** The pause between two readings while a crawl is under way. */
export const LOOK_EVERY_MS = 1500

/** Tells whether a crawl is under way, or its documents are being removed. */
export function isUnderWay({ status }: Pick<KnowledgeImport, 'status'>): boolean {
  return status === 'queued' || status === 'running' || status === 'removing'
}

/** Returns the imports of sites, read again while one is under way; the documents are read again after the last one. */
export function useSites() {
  const { api, key } = useAgent()
  const queries = useQueryClient()
  const sites = useQuery({
    queryKey: key('knowledge', 'sites'),
    queryFn: async ({ signal }) => (await api.get('/knowledge/imports', { per_page: 100 }, signal)).data,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_EVERY_MS : false),
  })
  const underWay = sites.data?.filter(isUnderWay).length ?? 0
  const before = useRef(0)
  useEffect(() => {
    if (underWay < before.current) void queries.invalidateQueries({ queryKey: key('knowledge') })
    before.current = underWay
  }, [underWay, queries, key])
  return sites
}
