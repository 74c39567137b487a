import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Stores the whole trace of an event, and the text that models see in place of a withheld prompt. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema.alterTable('events').addColumn('trace_flags', 'integer').execute()
  await db.schema.alterTable('events').addColumn('tracestate', 'text').execute()
  await db.schema.alterTable('messages').addColumn('shown_as', 'text').execute()
}
