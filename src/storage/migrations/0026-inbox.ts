import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Messages that move a conversation in the inbox. Announcements to all conversations move none. */
const SPOKEN = sql.raw(`role in ('user', 'assistant', 'operator')`)

/**
 * What people do with conversations: assignment, waiting for a person, read marks. Beside them the inbox,
 * which database triggers maintain.
 */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const table = db.schema.createTable.bind(db.schema)
  for (const [column, type] of [
    ['language', 'text'],
    ['waiting_since', 'text'],
    ['waiting_reason', 'text'],
    ['assignee_id', engine.identityType],
  ] as const)
    await db.schema.alterTable('conversations').addColumn(column, type).execute()
  await sql`update conversations set language = (
    select language from completions where conversation_id = conversations.id and language is not null
    order by created_at desc, number desc limit 1)`.execute(db)
  await db.schema
    .createIndex('conversations_user')
    .on('conversations')
    .columns(['agent_id', 'user_id', 'sequence'])
    .where(sql.ref('user_id'), 'is not', null)
    .execute()

  await table('conversation_tags')
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('conversation_tags_key', ['conversation_id', 'name'])
    .execute()
  await indexTags(db)
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
  await sql`insert into inbox_rows (conversation_id, agent_id, sequence, state, is_paused, assignee_id, channel_id,
      user_id, language, last_message_id)
    select id, agent_id, sequence, case when ended_at is null then 0 else 2 end,
      case when ended_at is null then agent_paused else 0 end, 0, channel_id, user_id, language,
      coalesce((select max(id) from messages where conversation_id = conversations.id and ${SPOKEN}), 0)
    from conversations`.execute(db)
  await sql`update inbox_rows set last_message_at = (select created_at from messages where id = last_message_id)`.execute(
    db,
  )
  const latest = ['last_message_id', 'sequence']
  // The predicate is always true: it keeps queries that do not state it from using this index.
  for (const [name, columns, where] of [
    ['inbox_rows_latest', ['agent_id', 'state', ...latest], 'sequence > 0'],
    ['inbox_rows_assignee', ['agent_id', 'assignee_id', ...latest], 'state = 1'],
    ['inbox_rows_paused', ['agent_id', ...latest], 'is_paused = 1'],
    ['inbox_rows_waiting', ['agent_id', ...latest], 'waiting_since is not null'],
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
  await sql`insert into inbox_counters (agent_id, assignee_id, shard, open_count, waiting_count)
    select agent_id, 0, 0, count(*), 0 from conversations where ended_at is null group by agent_id`.execute(
    db,
  )
  await (engine.kind === 'sqlite' ? keepOnSqlite(db) : keepOnPostgres(db))
}

/** Tags that an inbox can be filtered by: those with a short plain value. */
async function indexTags(db: Kysely<Tables>): Promise<void> {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; agent_id: number; tags: string }>`
      select id, agent_id, tags from conversations where id > ${after} and tags is not null order by id limit 500`.execute(
      db,
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    for (const { id, agent_id, tags } of rows) {
      for (const [name, value] of Object.entries(JSON.parse(tags) as Record<string, unknown>)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        if ((typeof value === 'object' && value !== null) || text.length > 200) continue
        await sql`insert into conversation_tags (conversation_id, name, value, agent_id)
          values (${id}, ${name}, ${text}, ${agent_id})`.execute(db)
      }
    }
  }
}

/** The columns of a conversation that the inbox is ordered and counted by. */
const WATCHED = ['ended_at', 'agent_paused', 'assignee_id', 'waiting_since', 'user_id', 'language']

/** 0: open and unassigned, 1: open and assigned, 2: ended. Most are unassigned, and have an entry in one index only. */
const STATE = 'case when new.ended_at is not null then 2 when new.assignee_id is null then 0 else 1 end'

/** Keeps each row of the inbox in step with its conversation. */
const OPENED = `
  insert into inbox_rows (conversation_id, agent_id, sequence, state, is_paused, assignee_id, waiting_since,
    channel_id, user_id, language)
  values (new.id, new.agent_id, new.sequence, ${STATE},
    case when new.ended_at is null then new.agent_paused else 0 end, coalesce(new.assignee_id, 0), new.waiting_since,
    new.channel_id, new.user_id, new.language);`
const CHANGED = `
  update inbox_rows set state = ${STATE},
    is_paused = case when new.ended_at is null then new.agent_paused else 0 end,
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

async function keepOnSqlite(db: Kysely<Tables>): Promise<void> {
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
  ])
    await sql.raw(`create trigger ${name} ${when} begin ${acts} end`).execute(db)
}

/**
 * PostgreSQL does this right before the commit: a transaction that has locked a row of the inbox waits for nothing else,
 * so that no deadlock is possible.
 */
async function keepOnPostgres(db: Kysely<Tables>): Promise<void> {
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
