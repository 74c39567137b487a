import { queryOptions } from '@tanstack/react-query'
import type { OpenAgent } from '../../../api/session.ts'

/** Returns the query of one completion: a prompt, its answer, and the answer's origin. */
export function completionQuery({ api, key }: OpenAgent, completionId: string) {
  return queryOptions({
    queryKey: key('completion', completionId),
    queryFn: async () => (await api.get(`/chat/completions/${completionId}`)).data,
  })
}
