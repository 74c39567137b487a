import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type Api, agentApi, teamApi } from './client.ts'
import type { OperatorRight, Who } from './types.ts'

/** The query of the signed-in person and of what they can open. */
export const whoQuery = queryOptions({
  queryKey: ['who'],
  queryFn: async () => (await teamApi.get('/session')).data,
  staleTime: 30_000,
  retry: false,
})

/** Returns the signed-in person. Only for pages behind the sign-in, which are shown once this has been read. */
export function useWho(): Who {
  const { data } = useQuery(whoQuery)
  if (!data) throw new Error('nobody is signed in')
  return data
}

const ladder: readonly OperatorRight[] = ['read', 'respond', 'manage', 'own']

/** Tells whether one right includes another. The service decides; the console only hides what would be refused. */
export function includes(held: OperatorRight, needed: OperatorRight): boolean {
  return ladder.indexOf(held) >= ladder.indexOf(needed)
}

/** Tells whether the signed-in person has a right. */
export function useRight(needed: OperatorRight): boolean {
  return includes(useWho().operator.right, needed)
}

export interface OpenAgent {
  id: number
  name: string
  isPaused: boolean
  api: Api
  /** Makes a query key for something that belongs to this agent. */
  key: (...parts: (string | number)[]) => (string | number)[]
}

/** Returns the agent that the address names. */
export function useAgent(): OpenAgent {
  const { agents } = useWho()
  const { agentId } = useParams({ strict: false })
  const found = agents.find(({ id }) => id === Number(agentId)) ?? agents[0]
  if (!found) throw new Error('there is no agent')
  const { id, name, is_paused } = found
  return { id, name, isPaused: is_paused, api: agentApi(id), key: (...parts) => ['agent', id, ...parts] }
}
