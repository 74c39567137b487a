import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { type TestAgent, testAgent } from './app.ts'
import { type EngineKind, type FreshDatabase, freshDatabase } from './databases.ts'
import type { LentProgram } from './program-of-run.ts'

const FIXTURES = 'test/fixtures/releases'

/** The versions whose databases `test/fixtures/releases` has, in the order in which they were released. */
export const releases = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.sqlite.gz'))
  .map((file) => file.replace('.sqlite.gz', ''))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

/** The content of a release's database, and where its sources are. */
interface ReleaseFacts {
  /** The release's sources. */
  commit: string
  agent: { team_id: number; agent_id: number; api_key: string; bearer_token: string }
  /** An answered completion of the conversation "kept", one that was anonymized, and a conversation that waits. */
  kept: string
  erased: string
  waiting: string
}

export function factsOf(release: string, kind: EngineKind): ReleaseFacts {
  return JSON.parse(readFileSync(join(FIXTURES, `${release}.${kind}.json`), 'utf8'))
}

/** Returns the agent of a release's database, called through one process. */
export function agentOf({ agent }: ReleaseFacts, url: string): TestAgent {
  const credentials = {
    agentId: agent.agent_id,
    teamId: agent.team_id,
    apiKey: agent.api_key,
    bearerToken: agent.bearer_token,
  }
  return testAgent(`${url}/api/v1`, credentials, { isOwnVersion: false })
}

/** Creates the database that a release has left behind. */
export async function releasedDatabase(release: string, kind: EngineKind): Promise<FreshDatabase> {
  const fresh = await freshDatabase(kind)
  const left = gunzipSync(readFileSync(join(FIXTURES, `${release}.${kind}.gz`)))
  if (fresh.databaseUrl === null) writeFileSync(join(fresh.dataDir, 'parley.db'), left)
  else {
    const client = new pg.Client(fresh.databaseUrl)
    await client.connect()
    await client.query('drop schema public cascade; create schema public')
    await client.query(left.toString())
    await client.end()
  }
  return fresh
}

const PROGRAMS = resolve('node_modules/.cache/releases')
const run = promisify(execFile)

/** Returns the program of a release, which the first call in a clone bundles from the history. */
export async function programOf(commit: string): Promise<LentProgram> {
  const sources = join(PROGRAMS, commit)
  const bundle = join(sources, 'bundle')
  if (!existsSync(bundle)) {
    await mkdir(sources, { recursive: true })
    const archive = join(sources, `sources-${process.pid}.tar`)
    await run('git', [
      'archive',
      `--output=${archive}`,
      commit,
      'src',
      'docs',
      'package.json',
      'test/support',
    ]).catch((error) => {
      throw new Error(
        `the history lacks ${commit}, a release: fetch all of it, as with git fetch --unshallow`,
        {
          cause: error,
        },
      )
    })
    await run('tar', ['-xf', archive], { cwd: sources })
    await rm(archive)
    const made = `${bundle}.${process.pid}`
    await run(process.execPath, [join(import.meta.dirname, 'bundle-program.ts'), made], { cwd: sources })
    await rename(made, bundle).catch(() => rm(made, { recursive: true }))
  }
  return {
    main: join(bundle, 'main.mjs'),
    lockOrder: join(bundle, 'lock-order.mjs'),
    compiled: join(bundle, 'compiled'),
  }
}
