import { type Kysely, sql } from 'kysely'
import { stem } from '../../lib/words/stemming/stem.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Letters that words kept so far, and are found without now. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ đ: 'd', ð: 'd', ø: 'o', ł: 'l', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' },
}
const LETTERS = Object.keys(PLAIN)
const LETTER = new RegExp(`[${LETTERS.join('')}]`, 'g')

/** Words of documents, users and messages are found without strokes and ligatures: `Bjørn` as `Bjorn`. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  // Words with the same beginning are looked for, in byte order on both engines.
  if (engine.kind === 'postgres')
    await sql`alter table knowledge_vocabulary alter column word type text collate "C"`.execute(db)
  await foldVocabulary(db)
  await foldUserWords(db)
  await indexMessagesAgain(db)
}

const hasLetter = () =>
  sql<boolean>`(${sql.join(
    LETTERS.map((letter) => sql`word like ${`%${letter}%`}`),
    sql` or `,
  )})`

function fold(word: string): string {
  return word.replace(LETTER, (letter) => PLAIN[letter] ?? letter)
}

async function foldVocabulary(db: Kysely<Tables>): Promise<void> {
  const rows = await db
    .selectFrom('knowledge_vocabulary')
    .select(['agent_id', 'word'])
    .where(hasLetter())
    .execute()
  for (const { agent_id, word } of rows) await renameWord(db, agent_id, word, stem(fold(word)))
}

/** A passage with both words then has one entry with both counts. */
async function renameWord(db: Kysely<Tables>, agentId: number, from: string, to: string): Promise<void> {
  const entries = await db
    .deleteFrom('knowledge_words')
    .where('agent_id', '=', agentId)
    .where('word', 'in', [from, to])
    .returning(['passage_id', 'count', 'length'])
    .execute()
  const merged = new Map<number, { count: number; length: number }>()
  for (const { passage_id, count, length } of entries)
    merged.set(passage_id, { count: count + (merged.get(passage_id)?.count ?? 0), length })
  for (const [passage_id, entry] of merged) {
    await db
      .insertInto('knowledge_words')
      .values({ agent_id: agentId, word: to, passage_id, ...entry })
      .execute()
  }
  await db
    .deleteFrom('knowledge_vocabulary')
    .where('agent_id', '=', agentId)
    .where('word', 'in', [from, to])
    .execute()
  await db
    .insertInto('knowledge_vocabulary')
    .values({ agent_id: agentId, word: to, passages: merged.size })
    .execute()
}

async function foldUserWords(db: Kysely<Tables>): Promise<void> {
  const rows = await db.selectFrom('user_words').selectAll().where(hasLetter()).execute()
  for (const row of rows) {
    await db
      .insertInto('user_words')
      .values({ ...row, word: fold(row.word) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await db.deleteFrom('user_words').where(hasLetter()).execute()
}

/** Empties the index of messages and notes where it has such words. They are indexed again in the background. */
async function indexMessagesAgain(db: Kysely<Tables>): Promise<void> {
  const word = await db
    .selectFrom('search_words')
    .select('word')
    .where(hasLetter())
    .limit(1)
    .executeTakeFirst()
  if (!word) return
  for (const table of ['search_words', 'search_parts', 'search_blocks', 'search_pending'] as const)
    await db.deleteFrom(table).execute()
  for (const [kind, table] of [
    [1, 'messages'],
    [2, 'conversation_notes'],
  ] as const) {
    const newest = sql<number>`(select coalesce(max(id), 0) from ${sql.table(table)})`
    await db
      .updateTable('search_backfill')
      .set({ until_id: newest, next_id: newest })
      .where('kind', '=', kind)
      .execute()
  }
}
