import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAgent, useRight } from '../../api/session.ts'
import type { McpTool, Single, TriedTool } from '../../api/types.ts'

export type Offer = NonNullable<TriedTool['offers']>[number]

/** Asks an MCP server what it offers, as it is stored. */
export function useOffers({ id, updated_at }: McpTool) {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('offers', id, updated_at),
    queryFn: async () => (await api.post<Single<TriedTool>>(`/tools/${id}/try`, {})).data,
    enabled: useRight('manage'),
    staleTime: 60_000,
    // A tool that is saved is asked again: what it offered stays in view.
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
}
