import { countWaiting, oldestWaiting } from '../inbox/inbox-counts.ts'
import { countSessions } from '../operators/sessions.ts'
import type { Parts } from './parts.ts'

/** Adds values that are measured only when the metrics are read. */
export function addGauges({ metrics, database: { db }, clock, hub }: Parts): void {
  metrics.gauge('parley_sessions', 'Sessions of people that have not ended.', () =>
    countSessions(db, clock()),
  )
  metrics.gauge('parley_waiting_conversations', 'Conversations that wait for a person.', () =>
    countWaiting(db),
  )
  metrics.gauge(
    'parley_waiting_oldest_seconds',
    'For how long the conversation has waited for a person that has waited longest.',
    () => oldestWaiting(db, clock()),
  )
  metrics.gauge('parley_live_streams', 'Live streams that are open.', hub.count)
}
