import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './client.ts'

type Listener = () => void
const listeners = new Set<Listener>()

/** Calls `listener` when an answer says that nobody is signed in any more. */
export function onSessionEnded(listener: Listener): void {
  listeners.add(listener)
}

/** Notices when an answer changes what the session may do: it has ended, or the team requires a second factor now. */
export function noticeRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) return
  if (error.code === 'no_session') for (const listener of listeners) listener()
  if (error.code === 'two_factor_required') void queries.invalidateQueries({ queryKey: ['who'] })
}

/** The cache of all service state that pages show. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeRefusal }),
  mutationCache: new MutationCache({ onError: noticeRefusal }),
  defaultOptions: {
    queries: {
      // A refusal is final; only a request that did not reach the service is tried again.
      retry: (count, error) => error instanceof Refusal && error.code === 'unreachable' && count < 3,
      staleTime: 5_000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
