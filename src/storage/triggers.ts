import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
import { isKept } from './revision.ts'
import type { Tables } from './tables.ts'

type Kind = Engine['kind']

/** A trigger of the database as it is today. The owner of the rows that it writes declares it in its `triggers.ts`. */
export interface Trigger {
  name: string
  /** Raised with each change. */
  revision: number
  /** The change after which it runs, `insert on messages` for example. */
  after: string
  /** The condition for a row; absent: it runs for each. */
  when?: (kind: Kind) => string
  /** Returns the statements that it runs, each with its semicolon. */
  acts(kind: Kind): string
  /** On PostgreSQL it runs right before the commit, when the transaction waits for nothing else any more. */
  atCommit?: true
  /** The function that it calls on PostgreSQL, if several triggers share one. */
  function?: string
}

/** The text of a trigger: `body` is that of its function, which SQLite does not have. */
interface TriggerText {
  head: string
  body: string | null
}

/** Returns the statement that creates a trigger, and the body of its function. */
export function textOfTrigger(kind: Kind, trigger: Trigger): TriggerText {
  const { name, revision, after, when, acts, atCommit } = trigger
  const mark = `/* revision ${revision} */`
  const condition = when ? ` when (${oneLine(when(kind))})` : ''
  if (kind === 'sqlite') {
    const head = `CREATE TRIGGER ${name} after ${after}${condition} begin ${mark} ${oneLine(acts(kind))} end`
    return { head, body: null }
  }
  const [constraint, deferred] = atCommit ? ['constraint ', 'deferrable initially deferred '] : ['', '']
  const runs = `for each row${condition} execute function ${functionOf(trigger)}()`
  const head = `create ${constraint}trigger ${name} ${mark} after ${after} ${deferred}${runs}`
  return { head, body: `begin ${mark} ${oneLine(acts(kind))} return null; end` }
}

/** Reads the triggers that a database has, by name. The text of a trigger on PostgreSQL is kept as its comment. */
export async function readTriggers(db: Kysely<Tables>, kind: Kind): Promise<Map<string, TriggerText>> {
  const found =
    kind === 'sqlite'
      ? sql<TriggerText & { name: string }>`
          select name, sql as head, null as body from sqlite_schema where type = 'trigger'`
      : sql<TriggerText & { name: string }>`
          select tgname as name, coalesce(obj_description(pg_trigger.oid, 'pg_trigger'), '') as head, prosrc as body
          from pg_trigger join pg_proc on pg_proc.oid = tgfoid
          where not tgisinternal and (select relnamespace from pg_class where oid = tgrelid) = current_schema()::regnamespace`
  const { rows } = await found.execute(db)
  return new Map(rows.map(({ name, head, body }) => [name, { head, body }]))
}

/**
 * Returns the change that gives the database a trigger as it is today; null: it has it, or one of a newer version. A
 * function is replaced without a lock of its trigger's table.
 */
export function changeOfTrigger(
  kind: Kind,
  trigger: Trigger,
  found: TriggerText | undefined,
): ((db: Kysely<Tables>) => Promise<void>) | null {
  const { head, body } = textOfTrigger(kind, trigger)
  const keepsHead = found !== undefined && isKept(found.head, head, trigger.revision)
  const keepsBody = found !== undefined && isKept(found.body, body, trigger.revision)
  if (keepsHead && keepsBody) return null
  return async (db) => {
    const run = (statement: string) => sql.raw(statement).execute(db)
    if (body !== null && !keepsBody)
      await run(
        `create or replace function ${functionOf(trigger)}() returns trigger language plpgsql as $$${body}$$`,
      )
    if (keepsHead) return
    await run(dropOfTrigger(kind, trigger))
    await run(head)
    if (kind === 'postgres')
      await run(`comment on trigger ${placeOfTrigger(kind, trigger)} is '${head.replaceAll("'", "''")}'`)
  }
}

/** Returns the statement that drops a trigger. */
export function dropOfTrigger(kind: Kind, trigger: Trigger): string {
  return `drop trigger if exists ${placeOfTrigger(kind, trigger)}`
}

function placeOfTrigger(kind: Kind, { name, after }: Trigger): string {
  return kind === 'postgres' ? `${name} on ${after.split(' on ')[1]}` : name
}

function functionOf(trigger: Trigger): string {
  return trigger.function ?? trigger.name
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
