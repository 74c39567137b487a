import type pg from 'pg'
import { ConfigError } from '../../settings/setting.ts'
import { connectTo } from './postgres-failures.ts'

/**
 * Refuses a pooler that shares one server session between several connections, as PgBouncer does with `pool_mode =
 * transaction` or `statement`: prepared statements, settings and `LISTEN` would get lost.
 * @throws ConfigError
 */
export async function refuseSharedSessions(pool: pg.Pool): Promise<void> {
  if (await sharesSessions(pool))
    throw new ConfigError(
      'PARLEY_DATABASE_URL leads to a pooler that shares sessions, such as PgBouncer with pool_mode = transaction: ' +
        'set pool_mode = session, or name the PostgreSQL server itself',
    )
}

/** Tells whether connections share sessions: two that are open at once must each have a session and keep it. */
async function sharesSessions(pool: pg.Pool): Promise<boolean> {
  const one = await connectTo(pool)
  try {
    const other = await connectTo(pool)
    try {
      const first = await backendOf(one)
      // Keeps the pooler from giving the session to another connection.
      await other.query('begin')
      const second = await backendOf(other)
      const shares = first === second || first !== (await backendOf(one))
      await other.query('rollback')
      return shares
    } catch (error) {
      if (!isRefusedTransaction(error)) throw error
      return true
    } finally {
      other.release()
    }
  } finally {
    one.release()
  }
}

async function backendOf(client: pg.PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend')
  return rows[0]?.backend
}

/** True if this is PgBouncer's refusal of `begin` when it pools statements. */
function isRefusedTransaction(error: unknown): boolean {
  return error instanceof Error && /statement pooling/i.test(error.message)
}
