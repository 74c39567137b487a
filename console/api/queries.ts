import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './client.ts'

type Listener = () => void
const listeners = new Set<Listener>()

/** Calls `listener` when an answer says that nobody is signed in any more. */
export function onSessionEnded(listener: Listener): void {
  listeners.add(listener)
}

/** Tells all pages that nobody is signed in any more. */
export function tellSessionEnded(): void {
  for (const listener of listeners) listener()
}

function notice(error: unknown): void {
  if (error instanceof Refusal && error.code === 'no_session') tellSessionEnded()
}

/** All state of the service that pages show. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: {
      // A refusal stays one; what could not be reached is tried again.
      retry: (count, error) => error instanceof Refusal && error.code === 'unreachable' && count < 3,
      staleTime: 5_000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
