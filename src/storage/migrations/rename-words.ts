import { type Kysely, sql } from 'kysely'
import { type Backfill, backfillOf } from '../migration.ts'
import type { Tables } from '../tables.ts'

/**
 * Creates a backfill that gives words of documents another form. It goes upwards, so that a new form, which is mostly a
 * beginning of the old one, is not renamed again.
 */
export function renameWords(name: string, rename: (word: string) => string): Backfill {
  return backfillOf(
    name,
    ['knowledge_vocabulary', 'agent_id', 'word'],
    async (db, within) => {
      const rows = await db
        .selectFrom('knowledge_vocabulary')
        .select(['agent_id', 'word'])
        .where(within)
        .execute()
      for (const { agent_id, word } of rows) {
        const renamed = rename(word)
        if (renamed !== word) await renameWord(db, agent_id, word, renamed)
      }
    },
    'asc',
  )
}

/** Renames one word. A passage with both forms then has one entry with the sum of both counts. */
async function renameWord(db: Kysely<Tables>, agentId: number, from: string, to: string): Promise<void> {
  // Every transaction that adds or removes passages of the agent locks this row first.
  await db
    .selectFrom('knowledge_totals')
    .select('agent_id')
    .where('agent_id', '=', agentId)
    .forNoKeyUpdate()
    .execute()
  await sql`
    update knowledge_words set count = knowledge_words.count + other.count from knowledge_words as other
    where knowledge_words.agent_id = ${agentId} and knowledge_words.word = ${to}
      and other.agent_id = ${agentId} and other.word = ${from} and other.passage_id = knowledge_words.passage_id`.execute(
    db,
  )
  await sql`
    delete from knowledge_words where agent_id = ${agentId} and word = ${from} and passage_id in (
      select passage_id from knowledge_words where agent_id = ${agentId} and word = ${to})`.execute(db)
  await sql`update knowledge_words set word = ${to} where agent_id = ${agentId} and word = ${from}`.execute(
    db,
  )
  await sql`
    delete from knowledge_vocabulary where agent_id = ${agentId} and word in (${from}, ${to})`.execute(db)
  await sql`
    insert into knowledge_vocabulary (agent_id, word, passages)
    select ${agentId}, ${to}, count(*) from knowledge_words where agent_id = ${agentId} and word = ${to}`.execute(
    db,
  )
}
