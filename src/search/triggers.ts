import type { Trigger } from '../storage/triggers.ts'
import { isSpoken } from '../transcripts/messages/spoken-roles.ts'
import { MESSAGES, NOTES, type SearchKind } from './index/searched-texts.ts'

/**
 * Queues each new message and note to be indexed, in the transaction that writes it: no code has to remember to do so,
 * and no extra statement is sent.
 */
export const searchTriggers: readonly Trigger[] = [
  {
    name: 'messages_searched',
    revision: 2,
    after: 'insert on messages',
    when: () => isSpoken('new'),
    acts: () => queued(MESSAGES),
  },
  {
    name: 'conversation_notes_searched',
    revision: 1,
    after: 'insert on conversation_notes',
    acts: () => queued(NOTES),
  },
]

function queued(kind: SearchKind): string {
  return `insert into search_pending (agent_id, id, kind) values (new.agent_id, new.id, ${kind});`
}
