// How long does POST /chat/completions/{id}/anonymize take over 500 message rows of about 300 bytes, on SQLite?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { uuidv7 } from '../src/lib/ids.ts'
import { openDatabase } from '../src/storage/database.ts'
import type { Tables } from '../src/storage/tables.ts'
import { median } from '../test/support/quantile.ts'
import { chatMessages } from './redaction/timing.ts'
import { startParley } from './support/servers.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 41)
const MESSAGES = 500

const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-anonymize-'))
const parley = await startParley({}, dataDir)
const database = await openDatabase({ databaseUrl: null, dataDir })
const texts = chatMessages(MESSAGES, 270)
const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / MESSAGES

const times: number[] = []
const processor: number[] = []
let changed = 0
for (let round = 0; round < ROUNDS; round++) {
  const id = await addCompletion(database.db, round + 1)
  const used = parley.cpu()
  const started = performance.now()
  const response = await fetch(`${parley.url}/api/v1/chat/completions/${id}/anonymize`, {
    method: 'POST',
    headers: parley.headers,
  })
  const { data } = (await response.json()) as { data: { messages_redacted: number; remaining: number } }
  times.push(performance.now() - started)
  processor.push((parley.cpu() - used) * 1000)
  if (response.status !== 200 || data.remaining !== 0) throw new Error(`round ${round}: not all was redacted`)
  changed = data.messages_redacted
}
// In the first rounds the service's code is still being compiled.
const [first = 0] = times
const warm = Math.floor(ROUNDS / 2)
const settled = times.slice(warm)
process.stdout.write(
  `${MESSAGES} messages of ${bytes.toFixed(0)} bytes (${changed} changed): median ${median(settled).toFixed(0)} ms, ` +
    `processor time ${median(processor.slice(warm)).toFixed(0)} ms, worst ${Math.max(...settled).toFixed(0)} ms, the very first ${first.toFixed(0)} ms (target 50 ms)\n`,
)
await database.close()
await parley.stop()
await rm(dataDir, { recursive: true, force: true })

/** Adds a completion with all of the messages, as if its turn had called many tools. */
async function addCompletion(db: Kysely<Tables>, sequence: number): Promise<string> {
  const time = new Date().toISOString()
  const [conversation_id, id] = [uuidv7(Date.now()), uuidv7(Date.now())]
  const owner = { agent_id: 1, conversation_id }
  await db
    .insertInto('conversations')
    .values({ id: conversation_id, agent_id: 1, team_id: 1, sequence, started_at: time })
    .execute()
  await db
    .insertInto('completions')
    .values({
      ...owner,
      id,
      created_at: time,
      answered_at: time,
      model: 'bench',
      finish_reason: 'stop',
      tags: '[]',
    })
    .execute()
  const rows = texts.map((text, index) => ({
    ...owner,
    completion_id: id,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: JSON.stringify(text),
    created_at: time,
  }))
  await db.insertInto('messages').values(rows).execute()
  return id
}
