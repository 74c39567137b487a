import { index, type Step } from '../migration.ts'

const INDEXES = {
  audit_team: [],
  audit_action: ['action'],
  audit_kind: ['actor_kind'],
  audit_actor: ['actor_kind', 'actor_id'],
}

/** Indexes the audit by time, in which it is read. */
export const steps: readonly Step[] = Object.entries(INDEXES).map(([name, of]) =>
  index(name, (create) => create.on('audit').columns(['team_id', ...of, 'at', 'id'])),
)
