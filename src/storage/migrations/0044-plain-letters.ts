import { type Kysely, type SqlBool, sql } from 'kysely'
import { stem } from '../../language/words/stemming/stem.ts'
import type { Engine } from '../engine.ts'
import { type Backfill, backfillOf, orderByBytes, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'
import { renameWords } from './rename-words.ts'

/** Letters that stored words used to keep and that are now replaced. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ đ: 'd', ð: 'd', ø: 'o', ł: 'l', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' },
}
const LETTERS = Object.keys(PLAIN)
const LETTER = new RegExp(`[${LETTERS.join('')}]`, 'g')

const hasLetter = sql<SqlBool>`(${sql.join(
  LETTERS.map((letter) => sql`word like ${sql.lit(`%${letter}%`)}`),
  sql` or `,
)})`

/** Empties the index of messages and notes where it has such words. They are indexed again in the background. */
const messages: Backfill = {
  name: '0044-messages',
  begin: sql`select 1 as at from search_words where ${hasLetter} limit 1`,
  async piece(db, _at, _size, engine) {
    await emptySearch(db, engine)
    return null
  },
}

/** Words of documents, users and messages are found without strokes and ligatures: `Bjørn` as `Bjorn`. */
export const steps: readonly Step[] = [
  // Words with the same beginning are looked for, in byte order on both engines.
  ...orderByBytes('knowledge_vocabulary', 'knowledge_vocabulary_key', ['agent_id', 'word']),
  {
    pieces: renameWords('0044-documents', (word) => {
      const folded = fold(word)
      return folded === word ? word : stem(folded)
    }),
  },
  { pieces: backfillOf('0044-users', ['user_words', 'agent_id', 'word', 'user_id'], foldUserWords) },
  { pieces: messages },
]

function fold(word: string): string {
  return word.replace(LETTER, (letter) => PLAIN[letter] ?? letter)
}

async function foldUserWords(db: Kysely<Tables>, within: ReturnType<typeof sql<SqlBool>>): Promise<void> {
  const rows = await db.deleteFrom('user_words').where(within).where(hasLetter).returningAll().execute()
  for (const row of rows)
    await db
      .insertInto('user_words')
      .values({ ...row, word: fold(row.word) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

async function emptySearch(db: Kysely<Tables>, { kind }: Engine): Promise<void> {
  const tables = ['search_words', 'search_parts', 'search_blocks', 'search_pending'] as const
  if (kind === 'postgres')
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
  // SQLite, too, deletes all rows of a table without reading them.
  else for (const table of tables) await db.deleteFrom(table).execute()
  for (const [number, table] of [
    [1, 'messages'],
    [2, 'conversation_notes'],
  ] as const) {
    const newest = sql<number>`(select coalesce(max(id), 0) from ${sql.table(table)})`
    await db
      .updateTable('search_backfill')
      .set({ until_id: newest, next_id: newest })
      .where('kind', '=', number)
      .execute()
  }
}
