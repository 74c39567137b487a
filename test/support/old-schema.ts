import assert from 'node:assert/strict'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { migrations } from '../../src/storage/migrations.ts'
import type { Database } from '../../src/storage/opened-database.ts'
import type { Tables } from '../../src/storage/tables.ts'

/** The oldest schema that can be upgraded while the service runs. */
export const OLD = '0009-retired-ids'

const AT = sql`'2026-01-' || (10 + n % 18) || 'T10:00:00.000Z'`

/** A message as earlier versions left it when they anonymized it. */
const PICTURE = sql.lit(
  JSON.stringify([
    { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(9)}` } },
  ]),
)

/** Returns the migrations up to and including one. */
export function upTo(last: string): typeof migrations {
  return migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1)
}

/** Removes the schema from a fresh PostgreSQL database, which comes with one. */
export async function takeOutSchema({ db, engine }: Database): Promise<void> {
  if (engine.kind !== 'postgres') return
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
}

/** Fills a database of the old schema: agent 1 with many conversations, and the rows that later migrations change. */
export async function fillOldSchema(db: Kysely<Tables>, size: number): Promise<void> {
  await sql`insert into teams (id, name, created_at) values (1, 'T', '')`.execute(db)
  await sql`insert into agents (id, team_id, name, settings, created_at) values (1, 1, 'A', '{}', '')`.execute(
    db,
  )
  await sql`insert into agent_counters (agent_id, conversations, last_conversation_id)
    values (1, ${sql.lit(size)}, '')`.execute(db)
  await fillConversations(db, size)
  await fillKnowledge(db)
}

/** Adds conversations of the old schema to agent 1, with the rows that were stored with them. */
export async function fillConversations(db: Kysely<Tables>, size: number): Promise<void> {
  const id = sql`'00000000-0000-7000-8000-' || (100000000000 + n)`
  const completion = sql`'00000000-0000-7000-9000-' || (100000000000 + n)`
  const each = (table: string, columns: string, values: RawBuilder<unknown>) =>
    sql`insert into ${sql.table(table)} (${sql.raw(columns)})
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${sql.lit(size - 1)})
      select ${values}`.execute(db)
  await each(
    'conversations',
    'id, agent_id, team_id, sequence, external_id, user_id, tags, started_at, ended_at, agent_paused',
    sql`${id}, 1, 1, n + 1, 'ticket-' || n, 'user-' || (n / 5),
      case when n % 4 = 1 then '{"plan":"pro","seats":7,"beta":true,"more":{"a":1}}' end, ${AT},
      case when n % 10 = 0 then ${AT} end, case when n % 10 < 2 then 1 else 0 end from numbers`,
  )
  await each(
    'completions',
    'id, agent_id, conversation_id, user_id, language, created_at, answered_at, model, tags, redacted',
    sql`${completion}, 1, ${id}, 'user-' || (n / 5), case when n % 3 > 0 then 'de' end, ${AT}, ${AT}, 'm', '[]',
      case when n % 7 = 0 then ${AT} end from numbers`,
  )
  for (const role of ['system', 'user', 'assistant'])
    await each(
      'messages',
      'agent_id, conversation_id, completion_id, role, content, tool_calls, created_at, redacted',
      sql`1, ${id}, ${completion}, ${role}, case when n % 14 = 7 then ${PICTURE} else '"Where is my parcel?"' end,
        case when n % 3 = 1 then '[]' end, ${AT},
        case when n % 14 = 7 then 'anonymize' when n % 7 = 0 then ${AT} end from numbers`,
    )
  await each(
    'users',
    'agent_id, id, first_seen_at',
    sql`1, 'user-' || (n / 5), ${AT} from numbers where n % 5 = 0`,
  )
  await each(
    'idempotency_keys',
    'agent_id, key, fingerprint, completion_id, created_at',
    sql`1, 'key ' || n, 'hash', ${completion}, ${AT} from numbers where n % 4 = 0`,
  )
  await each(
    'events',
    'agent_id, key, occurred_at, conversation_id, completion_id, data',
    sql`1, 'prompt_submit', ${AT}, ${id}, ${completion}, case when n % 5 = 0 then '{}' end from numbers`,
  )
  for (const note of ['first', 'second'])
    await each(
      'conversation_notes',
      'agent_id, conversation_id, completion_id, text, author, created_at',
      sql`1, ${id}, ${completion}, ${note}, 'rule', '2026-02-01' from numbers where n % 6 = 0`,
    )
}

/** Adds documents of the time before words were stemmed and written without strokes. */
async function fillKnowledge(db: Kysely<Tables>): Promise<void> {
  await sql`insert into knowledge_documents (id, agent_id, source, title, content_hash, created_at, updated_at)
    values (1, 1, 'url https://x.example/a', 'A', 'h', '', ''), (2, 1, 'title B', 'B', 'h', '', ''),
      (3, 1, 'title https://x.example/a', 'C', 'h', '', '')`.execute(db)
  await sql`insert into knowledge_passages (id, agent_id, document_id, position, heading, anchor, text, length)
    select id, 1, id, 0, '', '', '', 9 from knowledge_documents`.execute(db)
  await sql`insert into knowledge_totals (agent_id, passages, words) values (1, 3, 27)`.execute(db)
  for (const [word, passages] of [
    ['возврат', [1, 2]],
    ['возврата', [2, 3]],
    ['rechnungen', [1]],
    ['bjørn', [1, 2]],
    ['bjorn', [2]],
  ] as const) {
    await sql`insert into knowledge_vocabulary (agent_id, word, passages) values (1, ${word}, ${passages.length})`.execute(
      db,
    )
    for (const passage of passages)
      await sql`insert into knowledge_words (agent_id, word, passage_id, count, length)
        values (1, ${word}, ${passage}, 1, 9)`.execute(db)
  }
}

let prompts = 0

/**
 * Stores a prompt and its answer as a process of the old version does.
 * @param at the number of the conversation that it continues; null opens a new one
 */
export async function promptAsBefore({ db, engine }: Database, at: number | null): Promise<void> {
  const number = 200_000_000_000 + prompts++
  const completion = `00000000-0000-7000-9000-${number}`
  const id = `00000000-0000-7000-8000-${at === null ? number : 100_000_000_000 + at}`
  const time = new Date().toISOString()
  const say = (db: Kysely<Tables>, role: string) =>
    sql`insert into messages (agent_id, conversation_id, completion_id, role, content, created_at)
      values (1, ${id}, ${completion}, ${role}, '"And now?"', ${time})`.execute(db)
  const raise = (db: Kysely<Tables>, key: string) =>
    sql`insert into events (agent_id, key, occurred_at, conversation_id, completion_id)
      values (1, ${key}, ${time}, ${id}, ${completion})`.execute(db)
  await db.transaction().execute(async (db) => {
    await sql`select id, settings, is_paused from agents where id = 1`.execute(db)
    if (at === null) {
      const { rows } = await sql<{
        sequence: number
      }>`update agent_counters set conversations = conversations + 1
        where agent_id = 1 returning conversations as sequence`.execute(db)
      await sql`insert into conversations (id, agent_id, team_id, sequence, user_id, started_at)
        values (${id}, 1, 1, ${rows[0]?.sequence}, 'user-1', ${time})`.execute(db)
    } else {
      const lock = engine.kind === 'postgres' ? sql`for no key update` : sql``
      await sql`select id, agent_paused, ended_at from conversations where id = ${id} ${lock}`.execute(db)
    }
    await sql`insert into completions (id, agent_id, conversation_id, user_id, created_at, model, tags)
      values (${completion}, 1, ${id}, 'user-1', ${time}, 'm', '[]')`.execute(db)
    await say(db, 'user')
    await sql`insert into users (agent_id, id, first_seen_at) values (1, ${`user-${number}`}, ${time})
      on conflict do nothing`.execute(db)
    await raise(db, 'prompt_submit')
  })
  await db.transaction().execute(async (db) => {
    if (at !== null && at % 5 === 2)
      await sql`update conversations set ended_at = ${time} where id = ${id} and ended_at is null`.execute(db)
    await sql`update completions set answered_at = ${time} where id = ${completion}`.execute(db)
    await say(db, 'assistant')
    await raise(db, 'response_sent')
  })
}

const SPOKEN = `from messages where conversation_id = conversations.id and role in ('user', 'assistant', 'operator')`

/** Rows that follow from the old schema's: the query that derives them, and the one that reads them. */
const FOLLOWS: Record<string, [expected: string, found: string]> = {
  'the rows of the inbox': [
    `select id, agent_id, sequence, case when ended_at is null then 0 else 2 end as state,
        case when ended_at is null then agent_paused else 0 end as is_paused, user_id, language,
        coalesce((select max(id) ${SPOKEN}), 0) as last_message_id,
        (select created_at ${SPOKEN} order by messages.id desc limit 1) as last_message_at
      from conversations order by id`,
    `select conversation_id as id, agent_id, sequence, state, is_paused, user_id, language, last_message_id, last_message_at
      from inbox_rows order by conversation_id`,
  ],
  'the counts of the inbox': [
    `select count(*) as n from conversations where ended_at is null`,
    `select sum(open_count) as n from inbox_counters`,
  ],
  languages: [
    `select conversation_id as id from completions where language = 'de' order by conversation_id`,
    `select id from conversations where language = 'de' order by id`,
  ],
  tags: [
    `select id, tag, tagged from conversations cross join (select 'beta' as tag, 'true' as tagged
        union all select 'plan', 'pro' union all select 'seats', '7') as tags
      where tags is not null order by id, tag`,
    `select conversation_id as id, name as tag, value as tagged from conversation_tags order by conversation_id, name`,
  ],
  'notes in the timeline': [
    `select id from conversation_notes order by conversation_id, id`,
    `select note_id as id from happenings where kind = 'note' order by conversation_id, id`,
  ],
  'what is to be redacted again': [
    `select 0 as n`,
    `select (select count(*) from completions where redacted is not null)
      + (select count(*) from messages where redacted is not null and tool_calls is not null)
      + (select count(*) from idempotency_keys where fingerprint <> '') as n`,
  ],
  'what stays redacted': [
    `select id from messages where completion_id in (select completion_id from messages group by completion_id
        having max(redacted) is not null) and tool_calls is null order by id`,
    `select id from messages where redacted is not null order by id`,
  ],
  'what was a picture in what stays anonymized': [
    `select id, '[{"type":"text","text":"[IMAGE]"}]' as content from messages where redacted = 'anonymize' order by id`,
    `select id, content from messages where redacted = 'anonymize' order by id`,
  ],
  sources: [
    `select 1 as id, 'https://x.example/a' as source union all select 2, 'B'
      union all select 3, 'title https://x.example/a' order by id`,
    `select id, source from knowledge_documents order by id`,
  ],
  'words of documents': [
    `select 'bjorn' as word, 1 as passage_id, 1 as count union all select 'bjorn', 2, 2
      union all select 'rechnung', 1, 1 union all select 'возврат', 1, 1
      union all select 'возврат', 2, 2 union all select 'возврат', 3, 1 order by word, passage_id`,
    `select word, passage_id, count from knowledge_words order by word, passage_id`,
  ],
  'the vocabulary': [
    `select word, count(*) as passages from knowledge_words group by word order by word`,
    `select word, passages from knowledge_vocabulary order by word`,
  ],
}

/** Asserts that everything is there that the migrations and their backfills make of the old rows. */
export async function assertUpgraded(db: Kysely<Tables>): Promise<void> {
  for (const [what, [expected, found]] of Object.entries(FOLLOWS)) {
    const read = async (query: string) => (await sql.raw(query).execute(db)).rows
    const rows = await read(expected)
    assert.notEqual(rows.length, 0, what)
    assert.deepEqual(await read(found), rows, what)
  }
}
