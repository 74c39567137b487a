import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** The columns of each index, and its predicate. */
const INDEXES = {
  audit_team: [['team_id', 'at', 'id'], 'id > 0'],
  audit_kind: [['team_id', 'actor_kind', 'at', 'id'], 'id > -1'],
  audit_action: [['team_id', 'action', 'at', 'id'], "action > ''"],
  audit_actor: [['team_id', 'actor_kind', 'actor_id', 'at', 'id'], 'actor_id is not null'],
  audit_at: [['at'], 'length(at) > 0'],
} as const

/**
 * Gives each index of the audit a predicate that only its own queries state. All of them keep acts in the order of the list, so
 * that either engine could choose one that leads to most of them. Only that of actors is not always true.
 */
export const steps: readonly Step[] = Object.entries(INDEXES).map(([name, [columns, predicate]]) =>
  index(name, (create) =>
    create
      .on('audit')
      .columns([...columns])
      .where(sql.raw<boolean>(predicate)),
  ),
)
