import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from '../../src/storage/tables.ts'
import { connectionOf } from '../../src/storage/waking-db.ts'

type Result = QueryResult<unknown>

/**
 * Has `around` run each query of a database outside of transactions, however it is sent: to note, count or refuse it.
 * @returns a function that ends this
 */
export function aroundQueries(
  db: Kysely<Tables>,
  around: (query: CompiledQuery, run: () => Promise<Result>) => Promise<Result>,
): () => void {
  const ends = [db.getExecutor(), connectionOf(db)].map((way) => {
    if (!way) return () => {}
    const original = way.executeQuery
    way.executeQuery = (query: CompiledQuery, ...rest: never[]) =>
      around(query, () => original.call(way, query, ...rest)) as never
    return () => {
      way.executeQuery = original
    }
  })
  return () => {
    for (const end of ends) end()
  }
}
