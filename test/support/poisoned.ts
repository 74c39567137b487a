import { sql } from 'kysely'
import type { runBulkActs } from '../../src/inbox/bulk/run-bulk.ts'
import type { Database } from '../../src/storage/opened-database.ts'

export const NO_JSON = 'not JSON'

/** A conversation of nobody in particular. */
export const WISH = {
  ...{ user: null, deviceId: null, sessionId: null, conversationId: null, externalId: null },
  ...{ channelId: null, widgetId: null, tags: null, language: null },
}

/** The dependencies of bulk acts that are not tried. */
export const forBulk = {} as Pick<Parameters<typeof runBulkActs>[0], 'box' | 'outbound' | 'lessons'>

/**
 * Has the database refuse a change of some rows of a table.
 * @param change such as `update of name` or `delete`
 */
export async function refuse(
  { db, engine }: Database,
  table: string,
  change: string,
  when: string,
): Promise<void> {
  if (engine.kind === 'sqlite') {
    await sql
      .raw(
        `create trigger poison_${table} before ${change} on ${table} when ${when}
          begin select raise(abort, 'poisoned'); end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create or replace function poison() returns trigger language plpgsql as $$ begin raise 'poisoned'; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger poison_${table} before ${change} on ${table} for each row
        when (${when}) execute function poison()`,
    )
    .execute(db)
}
