import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { teamApi } from '../api/client.ts'
import { onLiveEvent } from '../api/live-events.ts'

/** The key of the signed-in person's notices, of all agents. */
export const NOTICES = ['notices']

/** Returns the newest notices of the signed-in person. The live stream tells when they have changed. */
export function useNotices() {
  const queries = useQueryClient()
  useEffect(
    () =>
      onLiveEvent(({ type }) => {
        if (type === 'notices' || type === 'reset') void queries.invalidateQueries({ queryKey: NOTICES })
      }),
    [queries],
  )
  return useQuery({ queryKey: NOTICES, queryFn: () => teamApi.get('/notices', { per_page: 30 }) }).data
}
