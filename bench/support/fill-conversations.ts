import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/storage/tables.ts'

/** Adds conversations of a message each to the one that agent 1 has, on SQLite. One of a hundred waits for a person. */
export async function fillConversations(db: Kysely<Tables>, size: number): Promise<void> {
  const numbers = sql`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${size - 1})`
  const time = sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', 1577836800 + n, 'unixepoch')`
  const id = sql`printf('00000000-0000-7000-8000-%012d', n)`
  await sql`insert into conversations (id, agent_id, team_id, sequence, external_id, user_id, language, started_at,
      agent_paused, waiting_since, waiting_reason)
    ${numbers} select ${id}, 1, 1, n + 2, 'ticket-' || n, 'user-' || (n / 10), 'en', ${time}, 0,
      case when n % 100 = 3 then ${time} end, case when n % 100 = 3 then 'asked' end
    from numbers`.execute(db)
  await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
    ${numbers} select 1, ${id}, 'user', '"Where is my parcel?"', ${time} from numbers`.execute(db)
  await sql`update agent_counters set conversations = ${size + 1} where agent_id = 1`.execute(db)
  await sql`analyze`.execute(db)
}

/** Adds messages of people to a conversation of agent 1. */
export async function fillMessages(db: Kysely<Tables>, conversationId: string, size: number): Promise<void> {
  await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
    with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${size - 1})
    select 1, ${conversationId}, 'operator', '"This is message ' || n || ' of many."',
      strftime('%Y-%m-%dT%H:%M:%S.000Z', 1577836800 + n, 'unixepoch') from numbers`.execute(db)
}
