import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reachAllAgents } from '../../src/lib/agent-scope.ts'
import { openDatabase } from '../../src/storage/database.ts'
import type { Database } from '../../src/storage/opened-database.ts'
import { startPostgres } from '../../test/support/postgres.ts'

/** Opens an empty database with the schema; PostgreSQL on a server of its own. Disposing of it removes everything. */
export async function openBenchDatabase(
  engine: 'sqlite' | 'postgres',
): Promise<{ database: Database } & AsyncDisposable> {
  reachAllAgents()
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const server = engine === 'postgres' ? await startPostgres({ isDurable: true }) : null
  const database = await openDatabase({ databaseUrl: server?.url ?? null, dataDir })
  await database.migrate()
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await server?.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}
