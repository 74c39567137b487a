import pg from 'pg'
import { LOCK_ORDER, LOCKED_WITH_ANOTHER } from '../../src/storage/lock-order.ts'
import { columns } from '../../src/texts/text-columns.ts'

/** The statements that lock the rows they write; each has the name of a table. */
const WRITES = [
  /(?<!for |no key |do )\bupdate "?(\w+)"?/g,
  /\bdelete from "?(\w+)"?/g,
  /\binsert into "?(\w+)"?.* on conflict/g,
]
const FOR_UPDATE = /\bfor (?:no key )?(?:update|share)(?: of "?(\w+)"?)?/
const INNERMOST = /\([^()]*\)/

/** A lock of the one row with an id. */
const ONE_ROW =
  /^select (?:(?!\b(?:select|join)\b).)* from "(\w+)" where .*\bid"? = \$(\d+).* for (?:no key )?update$/

/** The locks of a transaction: tables, and the ids of the rows that it locked one by one. */
interface Held {
  tables: Set<string>
  rows: Map<string, number[]>
}

/** Null: in a transaction that gives way by itself. */
const held = new WeakMap<object, Held | null>()
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown

/**
 * Holds every transaction of this process on PostgreSQL to `LOCK_ORDER`: a statement that locks a row out of order is
 * refused, and so is one whose table has no place, or that locks outside of a transaction, which ends the lock at once.
 */
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
  const [first] = given
  const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '')
  const statement = text.replace(/\s+/g, ' ').trim().toLowerCase()
  const values = (first as { values?: unknown[] } | undefined)?.values ?? given[1]
  if (/^begin\b/.test(statement)) held.set(this, { tables: new Set(), rows: new Map() })
  // With a lock timeout, a transaction gives way by itself, as those of migrations do.
  else if (/^set local lock_timeout\b/.test(statement)) held.set(this, null)
  else if (/^(?:commit|rollback)\b/.test(statement)) held.delete(this)
  const wrong = refused(held.get(this), statement, Array.isArray(values) ? values : [])
  if (wrong === null) return query.apply(this, given)
  process.stderr.write(`${wrong}: ${statement}\n`)
  return Promise.reject(new Error(wrong))
} as typeof pg.Client.prototype.query

/** Says what is wrong with a statement, or notes what it locks. */
function refused(before: Held | null | undefined, statement: string, values: unknown[]): string | null {
  // The body of a function runs later.
  if (before === null || /^create\b/.test(statement)) return null
  if (before === undefined)
    return /^select\b/.test(statement) && lockedBy(statement).length > 0 ? 'a lock needs a transaction' : null
  for (const table of lockedBy(statement)) {
    const wrong = outOfOrder(before.tables, table)
    if (wrong) return wrong
    before.tables.add(table)
  }
  const [, table, parameter] = ONE_ROW.exec(statement) ?? []
  const id = Number(values[Number(parameter) - 1])
  if (table === undefined || !Number.isInteger(id)) return null
  const rows = before.rows.get(table) ?? []
  before.rows.set(table, [...rows, id])
  const isLate = !rows.includes(id) && rows.some((other) => other > id)
  return isLate ? `row ${id} of ${table} is locked after ${rows.join(', ')}, against the order of keys` : null
}

/** Says what is wrong when a transaction that has locked rows of some tables locks one of another; null when nothing is. */
export function outOfOrder(before: ReadonlySet<string>, table: string): string | null {
  if (before.has(table) || isPlacedWithAnother(table)) return null
  const place = placeOf(table)
  // Tests make tables of their own.
  if (place === -1)
    return before.size === 0 || !(table in columns)
      ? null
      : `${table} has no place in LOCK_ORDER (src/storage/lock-order.ts)`
  const later = [...before].find((other) => placeOf(other) > place)
  return later === undefined ? null : `a row of ${table} is locked after one of ${later}, against LOCK_ORDER`
}

/** Returns the tables of which a statement, in lower case and on one line, locks rows: those of its inner queries first. */
export function lockedBy(statement: string): string[] {
  const parts: string[] = []
  let rest = statement
  for (let inner = INNERMOST.exec(rest); inner; inner = INNERMOST.exec(rest)) {
    parts.push(inner[0])
    rest = rest.replace(inner[0], '')
  }
  return [...parts, rest].flatMap(lockedByPart)
}

function lockedByPart(part: string): string[] {
  const written = WRITES.flatMap((pattern) => [...part.matchAll(pattern)].flatMap(([, table]) => table ?? []))
  const locking = FOR_UPDATE.exec(part)
  if (!locking) return written
  const read = [...part.matchAll(/\b(?:from|join) "?(\w+)"?(?: as "?(\w+)"?)?/g)]
  const only = locking[1]
  const locked = read.filter(([, table, alias]) => !only || only === alias || only === table)
  return [...written, ...locked.flatMap(([, table]) => table ?? [])]
}

function placeOf(table: string): number {
  return (LOCK_ORDER as readonly string[]).indexOf(table)
}

function isPlacedWithAnother(table: string): boolean {
  return (LOCKED_WITH_ANOTHER as readonly string[]).includes(table)
}
