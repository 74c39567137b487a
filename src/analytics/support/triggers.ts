import type { Trigger } from '../../storage/triggers.ts'

/** The columns of a conversation on which its facts depend. */
const WATCHED = ['ended_at', 'outcome', 'assignee_id', 'group_id', 'language', 'waiting_since', 'tags']

/**
 * Queues each conversation whose facts may have changed, in the transaction that changes them: no code has to remember
 * to do so. Each change adds a row of its own, so that none waits for another, or for those who count.
 */
export const supportTriggers: readonly Trigger[] = [
  {
    name: 'support_opened',
    revision: 1,
    after: 'insert on conversations',
    acts: () => changed('new.id'),
  },
  {
    name: 'support_changed',
    revision: 1,
    after: `update of ${WATCHED.join(', ')} on conversations`,
    when: (kind) =>
      WATCHED.map(
        (column) => `old.${column} ${kind === 'sqlite' ? 'is not' : 'is distinct from'} new.${column}`,
      ).join(' or '),
    acts: () => changed('new.id'),
  },
  {
    name: 'support_erased',
    revision: 1,
    after: 'delete on conversations',
    acts: () => gone('old.id'),
  },
  {
    name: 'support_answered',
    revision: 1,
    after: 'insert on messages',
    when: () => "new.role = 'operator'",
    acts: () => changed('new.conversation_id'),
  },
  {
    name: 'support_promised',
    revision: 1,
    after: 'insert on target_clocks',
    acts: () => changed('new.conversation_id'),
  },
  {
    name: 'support_promise_ended',
    revision: 1,
    after: 'update of missed_at, ended_at on target_clocks',
    acts: () => changed('new.conversation_id'),
  },
  {
    name: 'support_promise_gone',
    revision: 1,
    after: 'delete on target_clocks',
    acts: () => gone('old.conversation_id'),
  },
  {
    name: 'support_rated',
    revision: 1,
    after: 'insert on ratings',
    acts: () => changed('new.conversation_id'),
  },
  {
    name: 'support_rated_again',
    revision: 1,
    after: 'update of score, created_at on ratings',
    when: () => 'old.score <> new.score or old.created_at <> new.created_at',
    acts: () => changed('new.conversation_id'),
  },
]

function changed(id: string): string {
  return `insert into support_pending (agent_id, conversation_id) values (new.agent_id, ${id});`
}

function gone(id: string): string {
  return `insert into support_pending (agent_id, conversation_id)
    select agent_id, conversation_id from support_rows where conversation_id = ${id}
    union select agent_id, conversation_id from support_retries where conversation_id = ${id};`
}
