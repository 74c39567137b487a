import type { Trigger } from '../storage/triggers.ts'
import { isSpoken } from '../transcripts/messages/spoken-roles.ts'
import { ASSIGNED, ENDED, SNOOZED, UNASSIGNED } from './states.ts'

/** The state. Most are unassigned, and have an entry in one index only. */
const STATE = `case when new.ended_at is not null then ${ENDED} when new.snoozed_until is not null then ${SNOOZED}
  when new.assignee_id is null then ${UNASSIGNED} else ${ASSIGNED} end`
const IS_PAUSED =
  'case when new.ended_at is null and new.snoozed_until is null then new.agent_paused else 0 end'
/** An older version may open it again and leave the outcome. */
const OUTCOME = 'case when new.ended_at is not null then new.outcome end'
/** The time since which it waits; what is snoozed does not. */
const WAITING_SINCE = 'case when new.snoozed_until is null then new.waiting_since end'

/** The columns of a conversation by which the inbox is ordered and counted. */
const WATCHED = [
  'ended_at',
  'agent_paused',
  'assignee_id',
  'group_id',
  'waiting_since',
  'user_id',
  'language',
  'priority',
  'snoozed_until',
  'outcome',
  'due_at',
]

/**
 * Keeps `inbox_rows` and `inbox_counters` in step with conversations and messages. On PostgreSQL the triggers run right
 * before the commit: a transaction that has locked a row of the inbox then waits for nothing else, so that no deadlock
 * is possible.
 */
export const inboxTriggers: readonly Trigger[] = [
  {
    name: 'inbox_opened',
    revision: 6,
    after: 'insert on conversations',
    acts: (kind) => `
      insert into inbox_rows (conversation_id, agent_id, sequence, state, is_paused, assignee_id, group_id,
        waiting_since, channel_id, user_id, language, priority, due_at)
      values (new.id, new.agent_id, new.sequence, ${STATE}, ${IS_PAUSED}, coalesce(new.assignee_id, 0),
        coalesce(new.group_id, 0), ${WAITING_SINCE}, new.channel_id, new.user_id, new.language, new.priority, new.due_at);
      ${counted('new', 1, kind)} ${countedInGroup('new', 1, kind)}`,
    atCommit: true,
  },
  {
    name: 'inbox_changed',
    revision: 7,
    after: `update of ${WATCHED.join(', ')} on conversations`,
    when: (kind) =>
      WATCHED.map(
        (column) => `old.${column} ${kind === 'sqlite' ? 'is not' : 'is distinct from'} new.${column}`,
      ).join(' or '),
    acts: (kind) => `
      update inbox_rows set state = ${STATE}, is_paused = ${IS_PAUSED},
        assignee_id = coalesce(new.assignee_id, 0), group_id = coalesce(new.group_id, 0),
        waiting_since = ${WAITING_SINCE}, user_id = new.user_id, language = new.language,
        priority = new.priority, outcome = ${OUTCOME}, due_at = new.due_at
      where conversation_id = new.id;
      ${recounted(kind)}`,
    atCommit: true,
  },
  {
    name: 'inbox_erased',
    revision: 3,
    after: 'delete on conversations',
    acts: (kind) => `
      delete from inbox_rows where conversation_id = old.id;
      ${counted('old', -1, kind)} ${countedInGroup('old', -1, kind)}`,
    atCommit: true,
  },
  {
    name: 'inbox_spoken',
    revision: 2,
    after: 'insert on messages',
    // Pause and resume messages do not count, because they would move all conversations to the top.
    when: () => isSpoken('new'),
    acts: () => `
      update inbox_rows set last_message_id = new.id, last_message_at = new.created_at
      where conversation_id = new.conversation_id and last_message_id < new.id;`,
    atCommit: true,
  },
]

/** Takes a conversation out of the counts that it was in, and adds it to those that it is in now. */
function recounted(kind: 'sqlite' | 'postgres'): string {
  const [minus, plus] = [counted('old', -1, kind), counted('new', 1, kind)]
  const [leaves, enters] = [countedInGroup('old', -1, kind), countedInGroup('new', 1, kind)]
  if (kind === 'sqlite') return minus + plus + leaves + enters
  // Always in the same order, for the old and the new assignee and group.
  return `if coalesce(old.assignee_id, 0) <= coalesce(new.assignee_id, 0) then ${minus} ${plus}
    else ${plus} ${minus} end if;
    if (coalesce(old.group_id, 0), coalesce(old.assignee_id, 0)) <= (coalesce(new.group_id, 0), coalesce(new.assignee_id, 0))
    then ${leaves} ${enters} else ${enters} ${leaves} end if;`
}

/** Adds an open conversation to the counts of its assignee, or takes it out of them. */
function counted(row: 'new' | 'old', sign: 1 | -1, kind: 'sqlite' | 'postgres'): string {
  return addedTo({ table: 'inbox_counters', key: 'agent_id, assignee_id' }, row, sign, kind)
}

/** Adds an open conversation to the counts of its group, if it has one, or takes it out of them. */
function countedInGroup(row: 'new' | 'old', sign: 1 | -1, kind: 'sqlite' | 'postgres'): string {
  return addedTo({ table: 'inbox_group_counters', key: 'agent_id, group_id, assignee_id' }, row, sign, kind)
}

function addedTo(
  { table, key }: { table: 'inbox_counters' | 'inbox_group_counters'; key: string },
  row: 'new' | 'old',
  sign: 1 | -1,
  kind: 'sqlite' | 'postgres',
): string {
  const shard = kind === 'sqlite' ? '0' : 'pg_backend_pid() % 8'
  const isInGroup = table === 'inbox_group_counters'
  // SQLite takes `on` after a select for the condition of a join, unless the select has a `where`.
  return `
    insert into ${table} (${key}, shard, open_count, waiting_count, snoozed_count)
    select ${row}.agent_id, ${isInGroup ? `${row}.group_id, ` : ''}coalesce(${row}.assignee_id, 0), ${shard},
      case when ${row}.snoozed_until is null then ${sign} else 0 end,
      case when ${row}.snoozed_until is null and ${row}.waiting_since is not null then ${sign} else 0 end,
      case when ${row}.snoozed_until is null then 0 else ${sign} end
    where ${row}.ended_at is null${isInGroup ? ` and ${row}.group_id is not null` : ''}
    on conflict (${key}, shard) do update
      set open_count = ${table}.open_count + excluded.open_count,
        waiting_count = ${table}.waiting_count + excluded.waiting_count,
        snoozed_count = ${table}.snoozed_count + excluded.snoozed_count;`
}
