// How long do anonymizing long texts and a long prompt block the event loop on SQLite, so that nobody else is served?
// The times are processor time of its thread, which other work on the machine changes little. The floor is the time
// that SQLite needs for the rows of the longest transaction: an update, and a commit, which copies each page into the
// log. Both run on the event loop, because one connection writes.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { uuidv7 } from '../src/lib/ids.ts'
import { indexPending } from '../src/search/index/index-pending.ts'
import { searchedTexts } from '../src/search/searched-texts.ts'
import { startApp } from '../test/support/app.ts'
import { threadMs } from '../test/support/processor-time.ts'
import { median } from '../test/support/quantile.ts'
import { chatMessages } from './redaction/timing.ts'
import { printTable } from './support/load.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
/** The number of characters that one transaction rewrites if there are several messages. */
const AT_ONCE = 2_000_000

const app = await startApp('sqlite')
const agent = await app.addAgent()
/** The agent that is sent prompts. */
const prompted = await app.addAgent()
const { db, engine } = app.app.foundation.database
const floorDir = await mkdtemp(join(tmpdir(), 'parley-bench-long-texts-'))
const said = chatMessages(400, 1000).join(' ')
let conversations = 0

const rows: (string | number)[][] = []
for (const [messages, length] of [
  [1, 8_000_000],
  [1, AT_ONCE],
  [500, 8000],
  [100, 100_000],
] as const) {
  const text = JSON.stringify(said.repeat(Math.ceil(length / said.length)).slice(0, length))
  const longest: number[] = []
  const floors: [update: number, commit: number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const id = await addCompletion(text, messages)
    longest.push(await longestTurn(() => anonymize(id)))
    floors.push(floor(text, Math.min(messages, Math.ceil(AT_ONCE / length))))
  }
  rows.push([
    `${messages} of ${length.toLocaleString('en')} characters`,
    median(longest),
    median(floors.map(([update]) => update)),
    median(floors.map(([, commit]) => commit)),
  ])
}
const PROMPT = 6_000_000
const prompts: number[] = []
for (let round = 0; round < ROUNDS; round++) prompts.push(await longestTurn(sendPrompt))
rows.push([`a prompt of ${PROMPT.toLocaleString('en')} characters`, median(prompts), '', ''])
printTable([['messages', 'longest turn in ms', 'floor: update in ms', 'commit in ms'], ...rows])
await app.close()
await rm(floorDir, { recursive: true, force: true })

/** Returns the longest turn of the event loop during some work, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  // Earlier work must end first.
  await wait(200)
  let isOver = false
  let longest = 0
  let before = threadMs()
  const turn = () => {
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return longest
}

/** Sends a long prompt from another process, whose work is not counted. */
async function sendPrompt(): Promise<void> {
  const content = JSON.stringify(said.repeat(Math.ceil(PROMPT / said.length)).slice(0, PROMPT))
  const file = join(floorDir, 'prompt.mjs')
  await writeFile(
    file,
    `const { status } = await fetch('${prompted.baseUrl}/chat/completions', { method: 'POST', headers: ${JSON.stringify(
      {
        ...prompted.headers,
        'content-type': 'application/json',
      },
    )}, body: JSON.stringify({ messages: [{ role: 'user', content: ${content} }] }) })
    if (status !== 200) throw new Error(String(status))`,
  )
  await promisify(execFile)(process.execPath, [file])
}

async function anonymize(id: string): Promise<void> {
  const { status, body, text } = await agent.post(`/chat/completions/${id}/anonymize`)
  if (status !== 200 || body.data.remaining !== 0) throw new Error(text)
}

/** Measures the time that SQLite needs to rewrite as many texts, in a table of its own with the same settings. */
function floor(text: string, count: number): [update: number, commit: number] {
  const database = new DatabaseSync(join(floorDir, 'floor.db'))
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on;
    pragma cache_size = -65536; create table if not exists texts (id integer primary key, text text)`)
  const put = database.prepare('insert or replace into texts values (?, ?)')
  for (let id = 0; id < count; id++) put.run(id, text)
  const began = threadMs()
  database.exec('begin immediate')
  const update = database.prepare('update texts set text = ? where id = ?')
  for (let id = 0; id < count; id++) update.run(text.slice(0, -100), id)
  const updated = threadMs()
  database.exec('commit')
  const committed = threadMs()
  database.close()
  return [updated - began, committed - updated]
}

/** Adds a completion whose messages are in the search index. */
async function addCompletion(text: string, messages: number): Promise<string> {
  const time = new Date().toISOString()
  const [conversation_id, id] = [uuidv7(Date.now()), uuidv7(Date.now())]
  const owner = { agent_id: agent.agentId, conversation_id }
  const { teamId } = agent
  const conversation = { id: conversation_id, agent_id: agent.agentId, team_id: teamId, started_at: time }
  await db
    .insertInto('conversations')
    .values({ ...conversation, sequence: ++conversations })
    .execute()
  const ended = { created_at: time, answered_at: time, finish_reason: 'stop' }
  await db
    .insertInto('completions')
    .values({ ...owner, id, ...ended, model: 'bench', tags: '[]' })
    .execute()
  for (let n = 0; n < messages; n++)
    await db
      .insertInto('messages')
      .values({ ...owner, completion_id: id, role: 'user', content: text, created_at: time })
      .execute()
  await indexPending(
    { db, engine, logger: console, texts: searchedTexts },
    agent.agentId,
    new AbortController().signal,
    1,
  )
  return id
}
