import pg from 'pg'
import { errorCode } from '../../lib/error-code.ts'
import { nameOfPrepared } from '../prepared.ts'

/**
 * A connection that keeps the plans of prepared queries, because planning a small query takes longer than running it.
 * When a newer version of Parley adds a column underneath, the plans stay good, because they name the columns they
 * read. When it changes or drops one, the connection plans each query anew from then on.
 */
export class PlanKeepingClient extends pg.Client {
  #keepsPlans = true
  /** The texts of queries that select all columns, each mapped to the same query with named columns. */
  readonly #named = new Map<string, string>()

  // biome-ignore lint/suspicious/noExplicitAny: it answers as the form of pg's call does that was asked
  override query(...given: unknown[]): any {
    const [text, values] = given as [unknown, unknown[]?]
    const name = this.#keepsPlans && typeof text === 'string' ? nameOfPrepared(text) : undefined
    if (name === undefined || typeof text !== 'string')
      return super.query(...(given as Parameters<pg.Client['query']>))
    const kept = ALL_COLUMNS.test(text) ? this.#named.get(text) : text
    if (kept === undefined)
      return super.query(text, values).then((result: pg.QueryResult) => {
        this.#named.set(text, nameColumns(text, result.fields))
        return result
      })
    return super.query({ name, text: kept, values: values ?? [] }).catch((error: unknown) => {
      if (kept !== text && errorCode(error) === UNDEFINED_COLUMN) dropped.add(Object(error))
      if (isStalePlan(error)) this.#keepsPlans = false
      throw error
    })
  }
}

const ALL_COLUMNS = /^select (?:\*|("\w+")\.\*)(.* from ("\w+"))/
const UNDEFINED_COLUMN = '42703'

/** Names the columns in a query that selects all columns of one table; leaves a query of several tables as it is. */
function nameColumns(text: string, fields: readonly pg.FieldDef[]): string {
  return text.replace(ALL_COLUMNS, (whole, of: string | undefined, rest: string, from: string) => {
    const own = fields.filter(({ tableID }) => tableID === fields[0]?.tableID)
    if (of === undefined && own.length < fields.length) return whole
    const columns = own.map(({ name }) => `${of ?? from}.${pg.escapeIdentifier(name)}`)
    return `select ${columns.join(', ')}${rest}`
  })
}

/** Errors of plans that name a dropped column. */
const dropped = new WeakSet<object>()

/** True if a query failed because its table has changed since it was planned. The next try plans the query anew. */
export function isStalePlan(error: unknown): boolean {
  if (dropped.has(Object(error))) return true
  return errorCode(error) === '0A000' && String((error as Error).message).startsWith('cached plan')
}
