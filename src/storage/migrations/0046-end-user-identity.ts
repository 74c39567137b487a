import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/**
 * Gives the ids of end users a source: keys as `src/users/user-key.ts` writes them replace the plain ids.
 * Existing rows get theirs in the background (`give-sources.ts`). Triggers note the rows that a process of an older
 * version still writes.
 */
export const steps: readonly Step[] = [
  createNotes,
  (db, engine) => note(db, engine, 'conversations'),
  async (db, engine) => {
    await db.schema.alterTable('completions').addColumn('proven_id', 'text').execute()
    await note(db, engine, 'completions')
  },
  async (db, { kind }) => {
    // Ids are found by prefix, in byte order on both engines.
    const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`
    await db.schema.alterTable('users').addColumn('given_id', text).execute()
    await db.schema.alterTable('users').addColumn('proof', 'text').execute()
  },
  index('users_given', (create) =>
    create.on('users').columns(['agent_id', 'given_id']).where(sql.ref('given_id'), 'is not', null),
  ),
  index('users_unsourced', (create) =>
    create.on('users').columns(['agent_id', 'id']).where(sql.ref('given_id'), 'is', null),
  ),
]

async function createNotes(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema.alterTable('tools').addColumn('requires', 'text').execute()
  await db.schema
    .createTable('unsourced_users')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull().defaultTo(''))
    .addPrimaryKeyConstraint('unsourced_users_key', ['agent_id', 'id'])
    .execute()
  await db.schema.createIndex('unsourced_users_due').on('unsourced_users').columns(['due_at']).execute()
  if (engine.kind === 'postgres')
    await sql
      .raw(
        `create function note_unsourced_user() returns trigger language plpgsql as $$ begin ${NOTE} return null; end $$`,
      )
      .execute(db)
}

/** The rows of a widget or a channel that name a user without their source. */
const UNSOURCED = {
  conversations: `new.user_id is not null and (new.channel_id is not null or new.widget_id is not null)
    and ${hasNoSource("case when new.channel_id is null then 'widget:' else 'channel-' || new.channel_id || ':' end")}`,
  completions: `new.user_id is not null and new.channel_id is not null
    and ${hasNoSource("'channel-' || new.channel_id || ':'")}`,
}

function hasNoSource(prefix: string): string {
  return `substr(new.user_id, 1, length(${prefix})) <> ${prefix}`
}

const TRIGGERS = [
  ['unsourced_conversation', 'insert', 'conversations'],
  ['unsourced_conversation_user', 'update of user_id', 'conversations'],
  ['unsourced_completion', 'insert', 'completions'],
] as const

const NOTE = `insert into unsourced_users (agent_id, id) values (new.agent_id, new.user_id)
  on conflict (agent_id, id) do update set due_at = '';`

async function note(db: Kysely<Tables>, { kind }: Engine, on: keyof typeof UNSOURCED): Promise<void> {
  for (const [name, event, table] of TRIGGERS) {
    if (table !== on) continue
    const when = `create trigger ${name} after ${event} on ${table}`
    const statement =
      kind === 'sqlite'
        ? `${when} when ${UNSOURCED[table]} begin ${NOTE} end`
        : `${when} for each row when (${UNSOURCED[table]}) execute function note_unsourced_user()`
    await sql.raw(statement).execute(db)
  }
}
