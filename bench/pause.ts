// How long does POST /pause take with 100,000 open conversations, on both engines?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { uuidv7 } from '../src/lib/ids.ts'
import { openDatabase } from '../src/storage/database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { median } from '../test/support/quantile.ts'
import { startParley } from './support/servers.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const OPEN = 100_000

const postgres = await startPostgres({ isDurable: true })
const admin = new pg.Client({ connectionString: postgres.url })
await admin.connect()
for (const kind of ['sqlite', 'postgres'] as const) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-pause-'))
  const name = `bench_${process.pid}`
  if (kind === 'postgres') await admin.query(`create database ${name}`)
  const databaseUrl = kind === 'postgres' ? postgres.url.replace(/\/postgres$/, `/${name}`) : null
  const parley = await startParley(databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}, dataDir)
  const database = await openDatabase({ databaseUrl, dataDir })
  for (let from = 1; from <= OPEN; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => {
      const started_at = new Date().toISOString()
      return { id: uuidv7(Date.now()), agent_id: 1, team_id: 1, sequence: from + index, started_at }
    })
    await database.db.insertInto('conversations').values(rows).execute()
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    const response = await fetch(`${parley.url}/api/v1/pause`, { method: 'POST', headers: parley.headers })
    const { data } = (await response.json()) as { data: { emitted: number } }
    times.push(performance.now() - started)
    if (data.emitted !== OPEN) throw new Error(`${data.emitted} conversations got the message`)
    await fetch(`${parley.url}/api/v1/resume`, { method: 'POST', headers: parley.headers })
  }
  process.stdout.write(
    `${kind}: ${OPEN} open conversations, median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms\n`,
  )
  await database.close()
  await parley.stop()
  if (kind === 'postgres') await admin.query(`drop database ${name} with (force)`)
  await rm(dataDir, { recursive: true, force: true })
}
await admin.end()
await postgres.stop()
