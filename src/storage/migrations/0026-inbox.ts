import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, afterOthers, backfillOf, index, later, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Messages that move a conversation in the inbox. Announcements to all conversations move none. */
const SPOKEN = sql.raw(`role in ('user', 'assistant', 'operator')`)

/** Gives a conversation the language of its last prompt that has one. */
const languages = backfillOf('0026-languages', ['conversations', 'id'], async (db, within) => {
  const language = sql`from completions where conversation_id = conversations.id and language is not null`
  await sql`update conversations set language =
      (select language ${language} order by created_at desc, number desc limit 1)
    where ${within} and language is null and exists (select 1 ${language})`.execute(db)
})

/** Adds conversations from before the triggers to the inbox. Others cannot change one of them until it has its row. */
const rows = backfillOf('0026-inbox', ['conversations', 'id'], async (db, within) => {
  const conversations = await db
    .selectFrom('conversations')
    .select(['id', 'agent_id', 'tags'])
    .where(within)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await sql`insert into inbox_rows (${sql.raw(ROW)}, last_message_id, last_message_at)
    select ${sql.raw(valuesOf('conversations'))}, coalesce(${latest('id', sql`conversations.id`)}, 0),
      ${latest('created_at', sql`conversations.id`)}
    from conversations where ${within} on conflict (conversation_id) do nothing`.execute(db)
  const tags = conversations.flatMap(({ id, agent_id, tags }) =>
    filteredTags(tags).map(([name, value]) => ({ conversation_id: id, name, value, agent_id })),
  )
  for (let at = 0; at < tags.length; at += TAGS_AT_ONCE)
    await db
      .insertInto('conversation_tags')
      .values(tags.slice(at, at + TAGS_AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
})

/** Adds messages that were being stored while their conversation got its row: neither transaction saw the other. */
const lastMessages = afterOthers(
  backfillOf('0026-last-messages', ['conversations', 'id'], async (db, within) => {
    const conversation = sql`inbox_rows.conversation_id`
    await sql`update inbox_rows set last_message_id = ${latest('id', conversation)},
        last_message_at = ${latest('created_at', conversation)}
      where conversation_id in (select id from conversations where ${within})
        and last_message_id < ${latest('id', conversation)}`.execute(db)
  }),
)

/** Adds assignment, waiting for a person, read marks, and the inbox, which database triggers maintain. */
export const steps: readonly Step[] = [
  addColumns('conversations', {
    language: 'text',
    waiting_since: 'text',
    waiting_reason: 'text',
    assignee_id: 'id',
  }),
  // Before the triggers, which would change each row of the inbox once more.
  { pieces: languages },
  index('conversations_user', (create) =>
    create
      .on('conversations')
      .columns(['agent_id', 'user_id', 'sequence'])
      .where(sql.ref('user_id'), 'is not', null),
  ),
  createTables,
  (db, engine) => keep(db, engine, 'conversations'),
  (db, engine) => keep(db, engine, 'messages'),
  countConversations,
  later(rows),
  later(lastMessages),
]

export const backfills = [rows, lastMessages]

const TAGS_AT_ONCE = 1000

function latest(column: 'id' | 'created_at', conversationId: RawBuilder<unknown>) {
  return sql`(select messages.${sql.ref(column)} from messages
    where messages.conversation_id = ${conversationId} and ${SPOKEN} order by messages.id desc limit 1)`
}

/** Returns the tags that an inbox can be filtered by: those with a short plain value. */
function filteredTags(tags: string | null): [name: string, value: string][] {
  return Object.entries(JSON.parse(tags ?? '{}') as Record<string, unknown>).flatMap(
    ([name, value]): [string, string][] => {
      if (typeof value === 'object' && value !== null) return []
      const text = String(value)
      return text.length > 200 ? [] : [[name, text]]
    },
  )
}

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const table = db.schema.createTable.bind(db.schema)
  await table('conversation_tags')
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('conversation_tags_key', ['conversation_id', 'name'])
    .execute()
  await db.schema
    .createIndex('conversation_tags_value')
    .on('conversation_tags')
    .columns(['agent_id', 'name', 'value', 'conversation_id'])
    .execute()

  await table('read_marks')
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('operator_id', engine.identityType, (column) => column.notNull())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('message_id', engine.identityType, (column) => column.notNull())
    .addPrimaryKeyConstraint('read_marks_key', ['conversation_id', 'operator_id'])
    .execute()

  await table('inbox_rows')
    .addColumn('conversation_id', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('state', 'integer', (column) => column.notNull())
    .addColumn('is_paused', 'integer', (column) => column.notNull())
    .addColumn('assignee_id', engine.identityType, (column) => column.notNull())
    .addColumn('waiting_since', 'text')
    .addColumn('channel_id', 'integer')
    .addColumn('user_id', 'text')
    .addColumn('language', 'text')
    .addColumn('last_message_id', engine.identityType, (column) => column.notNull().defaultTo(0))
    .addColumn('last_message_at', 'text')
    .execute()
  const order = ['last_message_id', 'sequence']
  // The predicate is always true: it keeps queries that do not state it from using this index.
  for (const [name, columns, where] of [
    ['inbox_rows_latest', ['agent_id', 'state', ...order], 'sequence > 0'],
    ['inbox_rows_assignee', ['agent_id', 'assignee_id', ...order], 'state = 1'],
    ['inbox_rows_paused', ['agent_id', ...order], 'is_paused = 1'],
    ['inbox_rows_waiting', ['agent_id', ...order], 'waiting_since is not null'],
    ['inbox_rows_longest', ['agent_id', 'waiting_since', 'sequence'], 'waiting_since is not null'],
    ['inbox_rows_oldest', ['waiting_since'], 'waiting_since is not null'],
  ] as const) {
    const index = db.schema
      .createIndex(name)
      .on('inbox_rows')
      .columns([...columns])
    await index.where(sql.raw<boolean>(where)).execute()
  }

  await table('inbox_counters')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('assignee_id', engine.identityType, (column) => column.notNull())
    .addColumn('shard', 'integer', (column) => column.notNull())
    .addColumn('open_count', 'integer', (column) => column.notNull())
    .addColumn('waiting_count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('inbox_counters_key', ['agent_id', 'assignee_id', 'shard'])
    .execute()
}

/**
 * Counts the conversations from before the triggers: all that one statement sees, minus those that the triggers have
 * counted by then.
 */
async function countConversations(db: Kysely<Tables>): Promise<void> {
  await sql`insert into inbox_counters (agent_id, assignee_id, shard, open_count, waiting_count)
    select agent_id, assignee_id, 0, sum(open_count), sum(waiting_count) from (
      select agent_id, coalesce(assignee_id, 0) as assignee_id, count(*) as open_count,
        count(waiting_since) as waiting_count
      from conversations where ended_at is null group by agent_id, coalesce(assignee_id, 0)
      union all
      select agent_id, assignee_id, -open_count, -waiting_count from inbox_counters
    ) as counts where true group by agent_id, assignee_id
    on conflict (agent_id, assignee_id, shard) do update
      set open_count = inbox_counters.open_count + excluded.open_count,
        waiting_count = inbox_counters.waiting_count + excluded.waiting_count`.execute(db)
}

/** The columns of a conversation by which the inbox is ordered and counted. */
const WATCHED = ['ended_at', 'agent_paused', 'assignee_id', 'waiting_since', 'user_id', 'language']

/** 0: open and unassigned, 1: open and assigned, 2: ended. Most are unassigned, and have an entry in one index only. */
const state = (row: string) =>
  `case when ${row}.ended_at is not null then 2 when ${row}.assignee_id is null then 0 else 1 end`
const isPaused = (row: string) => `case when ${row}.ended_at is null then ${row}.agent_paused else 0 end`
const ROW = `conversation_id, agent_id, sequence, state, is_paused, assignee_id, waiting_since, channel_id, user_id,
    language`

function valuesOf(row: string): string {
  return `${row}.id, ${row}.agent_id, ${row}.sequence, ${state(row)}, ${isPaused(row)},
    coalesce(${row}.assignee_id, 0), ${row}.waiting_since, ${row}.channel_id, ${row}.user_id, ${row}.language`
}

/** Keeps each row of the inbox in step with its conversation. */
const OPENED = `
  insert into inbox_rows (${ROW})
  values (${valuesOf('new')});`
const CHANGED = `
  update inbox_rows set state = ${state('new')}, is_paused = ${isPaused('new')},
    assignee_id = coalesce(new.assignee_id, 0), waiting_since = new.waiting_since, user_id = new.user_id,
    language = new.language
  where conversation_id = new.id;`
const ERASED = 'delete from inbox_rows where conversation_id = old.id;'
const SPOKE = `
  update inbox_rows set last_message_id = new.id, last_message_at = new.created_at
  where conversation_id = new.conversation_id and last_message_id < new.id;`

/** Adds an open conversation to its assignee's counts, or takes it out of them. */
function counted(row: 'new' | 'old', sign: 1 | -1, shard: string): string {
  return `
    insert into inbox_counters (agent_id, assignee_id, shard, open_count, waiting_count)
    select ${row}.agent_id, coalesce(${row}.assignee_id, 0), ${shard}, ${sign},
      case when ${row}.waiting_since is null then 0 else ${sign} end
    where ${row}.ended_at is null
    on conflict (agent_id, assignee_id, shard) do update
      set open_count = inbox_counters.open_count + excluded.open_count,
        waiting_count = inbox_counters.waiting_count + excluded.waiting_count;`
}

/** Creates the triggers on one table: a transaction that changes two tables would block both. */
async function keep(db: Kysely<Tables>, engine: Engine, on: 'conversations' | 'messages'): Promise<void> {
  await (engine.kind === 'sqlite' ? keepOnSqlite(db, on) : keepOnPostgres(db, on))
}

async function keepOnSqlite(db: Kysely<Tables>, on: string): Promise<void> {
  const changes = WATCHED.map((column) => `old.${column} is not new.${column}`).join(' or ')
  const spoken = `new.role in ('user', 'assistant', 'operator')`
  for (const [name, when, acts] of [
    ['inbox_opened', 'after insert on conversations', OPENED + counted('new', 1, '0')],
    [
      'inbox_changed',
      `after update of ${WATCHED.join(', ')} on conversations when ${changes}`,
      CHANGED + counted('old', -1, '0') + counted('new', 1, '0'),
    ],
    ['inbox_erased', 'after delete on conversations', ERASED + counted('old', -1, '0')],
    ['inbox_spoken', `after insert on messages when ${spoken}`, SPOKE],
  ] as const)
    if (when.includes(` on ${on}`))
      await sql.raw(`create trigger ${name} ${when} begin ${acts} end`).execute(db)
}

/**
 * Creates triggers that PostgreSQL runs right before the commit: a transaction that has locked a row of the inbox then
 * waits for nothing else, so that no deadlock is possible.
 */
async function keepOnPostgres(db: Kysely<Tables>, on: string): Promise<void> {
  const shard = 'pg_backend_pid() % 8'
  const [minus, plus] = [counted('old', -1, shard), counted('new', 1, shard)]
  const changes = WATCHED.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')
  const functions = {
    inbox_opened: OPENED + plus,
    // Always in the same order, for the old and the new assignee.
    inbox_changed: `${CHANGED}
      if coalesce(old.assignee_id, 0) <= coalesce(new.assignee_id, 0) then ${minus} ${plus}
      else ${plus} ${minus} end if;`,
    inbox_erased: ERASED + minus,
    inbox_spoken: SPOKE,
  }
  const triggers: Record<keyof typeof functions, [when: string, condition: string]> = {
    inbox_opened: ['insert on conversations', ''],
    inbox_changed: [`update of ${WATCHED.join(', ')} on conversations`, `when (${changes})`],
    inbox_erased: ['delete on conversations', ''],
    inbox_spoken: ['insert on messages', `when (new.role in ('user', 'assistant', 'operator'))`],
  }
  for (const [name, acts] of Object.entries(functions)) {
    const [when, condition] = triggers[name as keyof typeof functions]
    if (!when.endsWith(` on ${on}`)) continue
    await sql
      .raw(
        `create function ${name}() returns trigger language plpgsql as $$ begin ${acts} return null; end $$`,
      )
      .execute(db)
    await sql
      .raw(
        `create constraint trigger ${name} after ${when} deferrable initially deferred for each row ${condition}
          execute function ${name}()`,
      )
      .execute(db)
  }
}
