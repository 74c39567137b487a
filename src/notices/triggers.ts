import { NAMED_CHANNELS } from '../mailboxes/channel-names.ts'
import type { Trigger } from '../storage/triggers.ts'
import { ASSIGNED_CONVERSATIONS } from '../transcripts/doors/assigned-conversations.ts'

/** The happenings in a conversation that may concern somebody. */
const HAPPENINGS = ['waiting', 'assigned', 'note']

/** Marks the notices in a conversation as read for the person whose read mark moves. */
const READ = `update notices set unread = 0
  where conversation_id = new.conversation_id and operator_id = new.operator_id and unread = 1;`

/**
 * Queues what may concern people, in the transaction in which it happens. Marks notices as read, and has pushed ones
 * taken back, in the transaction after which they concern nobody. The code that causes these changes need not know of
 * notices.
 */
export const noticeTriggers: readonly Trigger[] = [
  {
    name: 'notices_of_happenings',
    revision: 1,
    after: 'insert on happenings',
    when: () => `new.kind in (${HAPPENINGS.map((kind) => `'${kind}'`).join(', ')})`,
    acts: () => caused('happening', 'new.id', 'new.at'),
  },
  {
    name: 'notices_of_messages',
    revision: 1,
    after: 'insert on messages',
    when: () => "new.role = 'user'",
    // Most conversations are assigned to nobody.
    acts: () => `
      insert into notice_causes (agent_id, source, source_id, at, due_at)
      select new.agent_id, 'message', new.id, new.created_at, new.created_at from ${ASSIGNED_CONVERSATIONS}
      where id = new.conversation_id;`,
  },
  {
    name: 'notices_of_targets',
    revision: 1,
    after: 'update of warned_at on target_clocks',
    when: () => 'old.warned_at is null and new.warned_at is not null',
    acts: () => caused('target', 'new.id', 'new.warned_at'),
  },
  {
    name: 'notices_of_budgets',
    revision: 1,
    after: 'insert on budget_alerts',
    acts: () => caused('budget', '0', 'new.at', 'new.period'),
  },
  {
    name: 'notices_of_webhooks',
    revision: 1,
    after: 'update of held_until on notifications',
    // Each further failure holds it for longer.
    when: () => 'old.held_until is null and new.held_until is not null',
    acts: (kind) => caused('webhook', 'new.id', NOW[kind], 'new.name'),
  },
  {
    name: 'notices_of_channels',
    revision: 1,
    after: 'update of state on mailbox_items',
    when: () => "new.state = 'parked' and old.state <> 'parked' and new.error = 'unauthorized'",
    acts: () => `
      insert into notice_causes (agent_id, source, source_id, name, at, due_at)
      select agent_id, 'channel', id, name, new.finished_at, new.finished_at from ${NAMED_CHANNELS} where id = new.channel_id;`,
  },
  {
    name: 'notices_read',
    revision: 1,
    after: 'insert on read_marks',
    when: () => 'new.message_id > 0',
    acts: () => READ,
    atCommit: true,
  },
  {
    name: 'notices_read_on',
    revision: 1,
    after: 'update of message_id on read_marks',
    when: () => 'new.message_id > old.message_id',
    acts: () => READ,
    atCommit: true,
  },
  {
    name: 'notices_answered',
    revision: 2,
    after: 'update of waiting_since on conversations',
    when: () => 'old.waiting_since is not null and new.waiting_since is null',
    acts: () => `
      update notices set unread = 0
      where conversation_id = new.id and kind in ('waiting', 'due') and unread = 1;`,
    atCommit: true,
  },
  {
    name: 'notices_taken_back',
    revision: 1,
    after: 'update of unread on notices',
    when: () => 'old.unread = 1 and new.unread = 0',
    acts: (kind) =>
      `update notice_pushes set due_at = ${NOW[kind]} where notice_id = new.id and due_at is null;`,
  },
]

const NOW = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

function caused(source: string, id: string, at: string, name = 'null'): string {
  return `insert into notice_causes (agent_id, source, source_id, name, at, due_at)
    values (new.agent_id, '${source}', ${id}, ${name}, ${at}, ${at});`
}
