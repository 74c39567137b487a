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

const held = new WeakMap<object, Set<string>>()
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown

/**
 * Holds every transaction of this process on PostgreSQL to `LOCK_ORDER`: a statement that locks a row out of order is
 * refused, and so is one whose table has no place.
 */
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
  const [first] = given
  const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '')
  const statement = text.replace(/\s+/g, ' ').trim().toLowerCase()
  if (/^begin\b/.test(statement)) held.set(this, new Set())
  // With a lock timeout, a transaction gives way by itself, as those of migrations do.
  else if (/^(?:commit|rollback|set local lock_timeout)\b/.test(statement)) held.delete(this)
  // The body of a function runs later.
  const before = /^create\b/.test(statement) ? undefined : held.get(this)
  if (before)
    for (const table of lockedBy(statement)) {
      const wrong = outOfOrder(before, table)
      if (wrong) {
        process.stderr.write(`${wrong}: ${statement}\n`)
        return Promise.reject(new Error(wrong))
      }
      before.add(table)
    }
  return query.apply(this, given)
} as typeof pg.Client.prototype.query

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
