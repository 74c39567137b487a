import { index, type Step } from '../migration.ts'

/** Keeps the keys of an agent, and the tokens of a team, next to each other, so that lists of them can be paged. */
export const steps: readonly Step[] = [
  index('api_keys_agent', (create) => create.on('api_keys').columns(['agent_id', 'id'])),
  index('bearer_tokens_team', (create) => create.on('bearer_tokens').columns(['team_id', 'id'])),
]
