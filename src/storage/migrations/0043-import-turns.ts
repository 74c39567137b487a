import { index, type Step } from '../migration.ts'

/** Finds the time at which a crawl of a team last began. */
export const steps: readonly Step[] = [
  index('knowledge_imports_turns', (create) =>
    create.on('knowledge_imports').columns(['team_id', 'started_at']),
  ),
]
