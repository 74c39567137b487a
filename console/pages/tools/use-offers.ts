import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAgent, useRight } from '../../api/session.ts'
import type { McpTool, TriedTool } from '../../api/types.ts'

export type Offer = NonNullable<TriedTool['offers']>[number]

/** Asks a stored MCP server which tools it offers. */
export function useOffers({ id, updated_at }: McpTool) {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('offers', id, updated_at),
    queryFn: async () => (await api.post(`/tools/${id}/try`, {})).data,
    enabled: useRight('manage'),
    staleTime: 60_000,
    // A server is asked again after it was saved; its earlier offers stay in view until then.
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
}
