import { sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'

/** Records a device or a session; returns a row when it was not known before. */
function insertVisitor(table: 'devices' | 'sessions') {
  return prepared((db, param: ParamOf<{ agent_id: number; id: string; first_seen_at: string }>) =>
    db
      .insertInto(table)
      .values({ agent_id: param('agent_id'), id: param('id'), first_seen_at: param('first_seen_at') })
      .onConflict((conflict) => conflict.columns(['agent_id', 'id']).doNothing())
      .returning(sql<string>`id`.as('id')),
  )
}

export const insertVisitorOf = {
  devices: insertVisitor('devices'),
  sessions: insertVisitor('sessions'),
}
