import { type CreateIndexBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, backfillOf, index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Adds happenings for existing notes, through which the timeline finds them. */
const notes = backfillOf(
  '0027-notes',
  ['conversation_notes', 'id'],
  async (db, within) => {
    await sql`
      insert into happenings (agent_id, conversation_id, kind, at, after_message, actor_kind, actor_name, completion_id, note_id)
      select agent_id, conversation_id, 'note', created_at,
        coalesce((select max(messages.id) from messages where messages.conversation_id = conversation_notes.conversation_id
          and messages.created_at <= conversation_notes.created_at), 0),
        'rule', author, completion_id, id
      from conversation_notes where ${within} order by id`.execute(db)
  },
  'asc',
)

/** Adds notes by people, ratings, and happenings of conversations. */
export const steps: readonly Step[] = [
  addColumns('conversation_notes', { operator_id: 'id', mentions: 'text', redacted: 'text' }),
  index('conversation_notes_unprompted', (create) => unprompted(create, 'conversation_notes')),
  createRatings,
  createHappenings,
  { pieces: notes },
]

async function createRatings(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('ratings')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull().unique())
    .addColumn('completion_id', 'text')
    .addColumn('score', 'integer', (column) => column.notNull())
    .addColumn('comment', 'text')
    .addColumn('redacted', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('ratings_completion').on('ratings').columns(['completion_id']).execute()
  await unprompted(db.schema.createIndex('ratings_unprompted'), 'ratings').execute()
}

/** Indexes rows of conversations without a completion by age, as messages are. */
function unprompted(create: CreateIndexBuilder, table: string) {
  return create
    .on(table)
    .columns(['agent_id', 'redacted', 'created_at'])
    .where(sql.ref('completion_id'), 'is', null)
}

async function createHappenings(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('happenings')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('after_message', engine.identityType, (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', engine.identityType)
    .addColumn('actor_name', 'text')
    .addColumn('completion_id', 'text')
    .addColumn('note_id', engine.identityType)
    .addColumn('details', 'text')
    .execute()
  await db.schema
    .createIndex('happenings_conversation')
    .on('happenings')
    .columns(['conversation_id', 'after_message', 'id'])
    .execute()
}
