import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '../../src/lib/clock.ts'
import { indexPending } from '../../src/search/index/index-pending.ts'
import { MESSAGES } from '../../src/search/index/searched-texts.ts'
import { searchedTexts } from '../../src/search/searched-texts.ts'
import type { Database } from '../../src/storage/opened-database.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { triggers } from '../../src/triggers.ts'
import { drawWords } from './made-words.ts'

/** The number of conversations that a transaction writes. */
const AT_ONCE = 10_000
/** The number of texts of which each message of a transaction has one, with an order number of its own behind it. */
const TEXTS = 1000
const WORDS = 15

export const DAYS = 300
/** The days before the agent was made on which the history ends. */
const ENDED_DAYS = 2
/** The share of conversations that still have their events, as with PARLEY_EVENT_DAYS=90. */
const TOLD = 90 / DAYS

/**
 * Fills agent 1, which must have no conversations yet, with 300 days of them, each a prompt and its answer. Of a hundred
 * fifty have ended, one waits, two are operator 3's; ten of a hundred thousand are of the same user. What triggers would
 * write is written in bulk, which takes a superuser on PostgreSQL. A fill that broke off goes on where it stood.
 * @param until the time of `performance.now()` at which it breaks off
 * @returns true if it is complete
 */
export async function fillHistory(
  { db, engine, migrate }: Database,
  size: number,
  until = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const isSqlite = engine.kind === 'sqlite'
  const agent = await db
    .selectFrom('agents')
    .select('created_at')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const begin = Date.parse(agent.created_at) - (DAYS + ENDED_DAYS) * DAY_MS
  const counted = await db
    .selectFrom('agent_counters')
    .select('conversations')
    .where('agent_id', '=', 1)
    .executeTakeFirst()
  let filled = counted?.conversations ?? 0
  // The conversations of nobody known would be released.
  await sql`insert into operators (id, team_id, name, email, "right", created_at)
    values (3, 1, 'Ana', 'ana@example.com', 'respond', ${agent.created_at}) on conflict do nothing`.execute(
    db,
  )
  if (filled >= size) return true
  if (isSqlite)
    for (const { name } of triggers) await sql`drop trigger if exists ${sql.ref(name)}`.execute(db)
  while (filled < size) {
    if (performance.now() > until) return false
    const last = Math.min(filled + AT_ONCE, size)
    await db.transaction().execute(async (db) => {
      if (!isSqlite)
        for (const setting of ['session_replication_role = replica', 'enable_nestloop = off'])
          await sql.raw(`set local ${setting}`).execute(db)
      await prepare(db, isSqlite, { first: filled + 1, last, begin, step: (DAYS * DAY_MS) / size })
      await write(db, filled >= size * (1 - TOLD))
      await sql`insert into agent_counters (agent_id, conversations, last_conversation_id)
        select 1, max(n), max(id) from batch where true
        on conflict (agent_id) do update set conversations = excluded.conversations,
          last_conversation_id = excluded.last_conversation_id`.execute(db)
      await sql`drop table batch`.execute(db)
    })
    filled = last
  }
  if (!isSqlite)
    for (const [table, key] of [
      ['messages', 'id'],
      ['completions', 'number'],
    ] as const)
      await sql`select setval(pg_get_serial_sequence(${table}, ${key}), ${2 * size})`.execute(db)
  await db
    .insertInto('inbox_counters')
    .columns(['agent_id', 'assignee_id', 'shard', 'open_count', 'waiting_count'])
    .expression(
      db
        .selectFrom('inbox_rows')
        .select(({ fn, lit }) => [
          'agent_id',
          'assignee_id',
          lit(0).as('shard'),
          fn.countAll<number>().as('open_count'),
          fn.count<number>('waiting_since').as('waiting_count'),
        ])
        .where('state', '<', 2)
        .groupBy(['agent_id', 'assignee_id']),
    )
    .execute()
  // The triggers come back.
  await migrate({ triggers })
  // Parley gathers no statistics on SQLite, where they would lead to other plans.
  if (!isSqlite) await sql`vacuum analyze`.execute(db)
  return true
}

/** Makes the temporary table `batch`, with a row for each conversation of a transaction. */
async function prepare(
  db: Kysely<Tables>,
  isSqlite: boolean,
  { first, last, begin, step }: { first: number; last: number; begin: number; step: number },
): Promise<void> {
  const texts = JSON.stringify(Array.from({ length: TEXTS }, () => drawWords(WORDS)))
  const whole = sql.raw(isSqlite ? 'integer' : 'bigint')
  const [n, ms, text] = [sql.ref('n'), sql.ref('ms'), sql.raw('cast(n as text)')]
  const time = isSqlite
    ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`
    : sql`to_char(to_timestamp(${ms} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const id = (kind: number) => {
    const [hex, number] = isSqlite
      ? [sql`printf('%012x', ${ms})`, sql`printf('%012d', ${n})`]
      : [sql`lpad(to_hex(${ms}), 12, '0')`, sql`lpad(${text}, 12, '0')`]
    return sql`substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || ${`-7000-800${kind}-`} || ${number}`
  }
  const numbers = isSqlite
    ? sql`with recursive numbers(n) as (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(last)})`
    : sql`with numbers as (select n from generate_series(${sql.lit(first)}::bigint, ${sql.lit(last)}) as n)`
  const given = isSqlite
    ? sql`select key as k, value as words from json_each(${texts})`
    : sql`select ordinality - 1 as k, value as words from jsonb_array_elements_text(${texts}::jsonb) with ordinality`
  await sql`create temporary table batch as
    ${numbers}, timed as (select n, cast(${sql.lit(begin)} + floor(n * ${sql.lit(step)}) as ${whole}) as ms from numbers),
    texts as (${given})
    select n, ${id(0)} as id, ${id(1)} as completion_id, ${time} as at,
      'user-' || (n / 100000) || '-' || (n % 10000) as user_id,
      case when n % 2 = 0 then ${time} end as ended_at, case when n % 100 = 3 then ${time} end as waiting_since,
      case when n % 50 = 5 then 3 end as assignee_id,
      '"' || asked.words || ' order' || ${text} || '"' as asked, '"' || answered.words || '"' as answered
    from timed join texts as asked on asked.k = n % ${sql.lit(TEXTS)}
      join texts as answered on answered.k = (n * 7) % ${sql.lit(TEXTS)}`.execute(db)
}

/** Writes what the prompts and answers of `batch` would have written. @param isTold whether with their events */
async function write(db: Kysely<Tables>, isTold: boolean): Promise<void> {
  await sql`insert into conversations (id, agent_id, team_id, sequence, external_id, user_id, tags, language, started_at,
      ended_at, waiting_since, waiting_reason, assignee_id)
    select id, 1, 1, n, 'ticket-' || n, user_id, '{"plan":"pro"}', 'en', at, ended_at, waiting_since,
      case when waiting_since is not null then 'asked' end, assignee_id from batch order by n`.execute(db)
  await sql`insert into conversation_tags (conversation_id, name, value, agent_id)
    select id, 'plan', case when n % 4 = 0 then 'pro' else 'free' end, 1 from batch order by n`.execute(db)
  await sql`insert into users (agent_id, id, first_seen_at, given_id, proof)
    select 1, user_id, min(at), user_id, 'signed' from batch where true group by user_id
    on conflict do nothing`.execute(db)
  await sql`insert into completions (number, id, agent_id, conversation_id, user_id, language, created_at, model,
      finish_reason, answered_at, liked, tags, usage)
    select n, completion_id, 1, id, user_id, 'en', at, 'any', 'stop', at, case when n % 20 = 7 then 1 end, '[]',
      '{"prompt_tokens":1200,"completion_tokens":80,"total_tokens":1280}' from batch order by n`.execute(db)
  await sql`insert into messages (id, agent_id, conversation_id, completion_id, role, content, created_at)
    select 2 * n - 1, 1, id, completion_id, 'user', asked, at from batch
    union all select 2 * n, 1, id, completion_id, 'assistant', answered, at from batch order by 1`.execute(db)
  await sql`insert into inbox_rows (conversation_id, agent_id, sequence, state, is_paused, assignee_id, waiting_since,
      user_id, language, last_message_id, last_message_at)
    select id, 1, n, case when ended_at is not null then 2 when assignee_id is null then 0 else 1 end, 0,
      coalesce(assignee_id, 0), waiting_since, user_id, 'en', 2 * n, at from batch order by n`.execute(db)
  if (isTold)
    for (const key of ['new_conversation', 'prompt_submit', 'response_start', 'response_end'])
      await sql`insert into events (agent_id, key, occurred_at, conversation_id, completion_id, data, trace_id, span_id,
          trace_flags)
        select 1, ${key}, at, id, completion_id, ${key === 'response_end' ? '{"finish_reason":"stop"}' : null},
          'b4a50fdbc7b9ad7b2714a9447f82bbfb', '8c9233fa9cd3c342', 3 from batch order by n`.execute(db)
}

/** The number of messages that wait for the index at a time. */
const INDEXED_AT_ONCE = 16_384

/**
 * Indexes messages of a filled history for the search; goes on where it stood.
 * @param newest how many of the newest messages
 * @param until the time of `performance.now()` at which it breaks off
 * @returns true if all of them are indexed
 */
export async function indexHistory(
  { db, engine }: Database,
  newest: number,
  until = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { rows } = await sql<{ total: number; indexed: number | null }>`select
    (select max(id) from messages where agent_id = 1) as total,
    (select max(most_id) from search_parts where agent_id = 1 and kind = ${MESSAGES}) as indexed`.execute(db)
  const total = Number(rows[0]?.total)
  let done = Math.max(Number(rows[0]?.indexed ?? 0), total - newest)
  while (done < total) {
    if (performance.now() > until) return false
    const last = Math.min(done + INDEXED_AT_ONCE, total)
    await sql`insert into search_pending (agent_id, id, kind) select agent_id, id, ${sql.lit(MESSAGES)} from messages
      where id > ${done} and id <= ${last} on conflict do nothing`.execute(db)
    await indexPending(
      { db, engine, logger: console, texts: searchedTexts },
      1,
      new AbortController().signal,
      1,
    )
    done = last
  }
  if (engine.kind === 'postgres') await sql`vacuum analyze`.execute(db)
  return true
}
