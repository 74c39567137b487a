import { index, type Step } from '../migration.ts'

/** Finds the agents of a team, whose background work is shared by agent and team. */
export const steps: readonly Step[] = [
  index('agents_team', (create) => create.on('agents').columns(['team_id', 'id'])),
]
