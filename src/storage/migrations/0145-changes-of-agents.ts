import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** The few changes of agents as a whole are found among those of their conversations. */
export const steps: readonly Step[] = [
  index('changes_of_agents', (create) =>
    create.on('changes').columns(['agent_id']).where(sql<boolean>`conversation_id is null`),
  ),
]
