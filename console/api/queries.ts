import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './client.ts'

type Listener = () => void
const listeners = new Set<Listener>()

/** Calls `listener` when an answer says that nobody is signed in any more. */
export function onSessionEnded(listener: Listener): void {
  listeners.add(listener)
}

/** Looks whether an answer changes what the session may do: it has ended, or the team now requires a second factor. */
export function noticeRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) return
  if (error.code === 'no_session') for (const listener of listeners) listener()
  if (error.code === 'two_factor_required') void queries.invalidateQueries({ queryKey: ['who'] })
}

/** All state of the service that pages show. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeRefusal }),
  mutationCache: new MutationCache({ onError: noticeRefusal }),
  defaultOptions: {
    queries: {
      // A refusal stays one; what could not be reached is tried again.
      retry: (count, error) => error instanceof Refusal && error.code === 'unreachable' && count < 3,
      staleTime: 5_000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
