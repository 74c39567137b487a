import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { KEPT_OF_ONE } from '../../src/notifications/forget-deliveries.ts'
import type { TestAgent, TestAnswer } from '../support/app.ts'
import type { EngineKind, FreshDatabase } from '../support/databases.ts'
import type { SentText } from '../support/platform-peer.ts'
import { median } from '../support/quantile.ts'
import type { Received } from '../support/receiver.ts'
import { isKept, type Ledger, note } from './ledger.ts'
import { get, KEPT, STATUSES } from './load.ts'
import type { Sample } from './samples.ts'

/** A promise of the service, and how it was broken. */
export interface Promised {
  promise: string
  /** The figures of what was looked at. */
  measured: string
  broken: string[]
}

const NUMBERED = 'no conversation is lost, and they are numbered without gaps'
const WEBHOOKS = 'each webhook is sent once, and one that did not arrive is told as such'
const CHANNEL = 'each message of a channel is answered once, in the order of its chat'
const ERASED = 'nothing remains of what was erased'
const MEMORY = 'memory stays level'
const LOG = 'the write-ahead log stays level'
const LOOP = 'the event loop is not held up'
const QUEUES = 'all queues are empty soon after the load'

const MIB = 2 ** 20
/** docs/performance.md says to plan for 400 MB; a process of this load takes less. */
const MOST_MEMORY = 500 * MIB
/** The growth from the second quarter of a process's life to its last one that is no leak: garbage, caches. */
const MOST_GROWTH = 80 * MIB
/** SQLite copies its log into the database from 16 MB on; a reader may put it off for a while. PostgreSQL has a limit of its own. */
const MOST_LOG = 64 * MIB
/** The median over all readings, on a machine that also makes the load. */
const MOST_DELAY_MS = 250
const QUEUES_WITHIN_MS = 60_000
/** Fewer texts may wait for the index for as long as no others come. */
const FEW_TEXTS = 512
/** A process sends at most four webhooks of a notification at once. */
const AT_ONCE = 4
/** The shortest life of a process, in readings, whose growth says something. */
const LONG = 40

/** An answer of the API, or a row of one. */
type Body = TestAnswer['body']

interface Checked {
  engine: EngineKind
  ledger: Ledger
  /** The readings, which go on. */
  samples: readonly Sample[]
  agent: TestAgent
  replicas: number
  received: readonly Received[]
  sent: readonly SentText[]
  notification: number
}

/** Checks all promises but that of erasures, for which the service has to have ended. */
export async function checkPromises(checked: Checked): Promise<Promised[]> {
  const { ledger, samples } = checked
  const measured = {
    [QUEUES]: await checkQueues(checked),
    [KEPT]: await checkAnswers(checked),
    [NUMBERED]: await checkConversations(checked),
    [STATUSES]: statusesOf(ledger),
    [WEBHOOKS]: await checkWebhooks(checked),
    [CHANNEL]: checkChannel(checked),
    [MEMORY]: checkMemory(ledger, samples),
    [LOG]: checkLog(checked),
    [LOOP]: checkLoop(ledger, samples),
  }
  return Object.entries(measured).map(([promise, measured]) => promised(ledger, promise, measured))
}

function promised(ledger: Ledger, promise: string, measured: string): Promised {
  return { promise, measured, broken: ledger.broken.get(promise) ?? [] }
}

async function checkQueues({ ledger, samples }: Checked): Promise<string> {
  const begun = ledger.now()
  const waiting = () => {
    const last = samples.findLast(({ at }) => at > begun)
    if (!last) return null
    const { oldestSeconds: _, search, ...queues } = last.queues
    const left = { ...queues, search: search > FEW_TEXTS ? search : 0 }
    return Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0))
  }
  for (;;) {
    const left = waiting()
    const ms = ledger.now() - begun
    if (left && Object.keys(left).length === 0) return `${(ms / 1000).toFixed(1)} s after the load`
    if (ms > QUEUES_WITHIN_MS) {
      note(ledger, QUEUES, JSON.stringify(left))
      return `not within ${QUEUES_WITHIN_MS / 1000} s`
    }
    await wait(100)
  }
}

/** Reads all completions, and compares each with what its caller was told. */
async function checkAnswers({ ledger, agent }: Checked): Promise<string> {
  const stored = new Map<string, { prompt: unknown; response: unknown }>()
  for await (const row of pagesOf(agent, '/chat/completions')) stored.set(row.id, row)
  for (const { id, prompt, answer, state, mark } of ledger.answered) {
    const row = stored.get(id)
    if (!row) note(ledger, KEPT, `completion ${id} is lost`)
    else if (state === 'kept' && !isKept({ prompt, answer }, row))
      note(ledger, KEPT, `completion ${id} is ${JSON.stringify([row.prompt, row.response])}, not ${answer}`)
    else if (state === 'erased' && JSON.stringify(row).includes(mark))
      note(ledger, ERASED, `completion ${id} has ${mark}`)
  }
  return `${ledger.answered.length} prompts answered with 2xx, ${stored.size} stored`
}

async function checkConversations({ ledger, agent }: Checked): Promise<string> {
  const found = new Set<string>()
  let total = 0
  for await (const row of pagesOf(agent, '/conversations', (body) => void (total = body.total)))
    found.add(row.id)
  const lost = new Set(ledger.answered.map(({ conversation }) => conversation)).difference(found)
  for (const id of lost) note(ledger, NUMBERED, `conversation ${id} is lost`)
  if (found.size !== total) note(ledger, NUMBERED, `${found.size} of ${total} conversations are listed`)
  return `${total} conversations`
}

async function* pagesOf(
  agent: TestAgent,
  path: string,
  told: (body: Body) => void = () => {},
): AsyncGenerator<Body> {
  for (let page = 1; ; page++) {
    const { body } = await get(agent, `${path}?per_page=100&page=${page}`)
    told(body)
    yield* body.data
    if (body.data.length < 100) return
  }
}

function statusesOf({ asked }: Ledger): string {
  const count = (of: (status: number) => boolean) => asked.filter(({ status }) => of(status)).length
  return `${asked.length} requests, ${count((status) => status === 503)} answered with 503, ${count((status) => status === 0)} broken off by a kill`
}

async function checkWebhooks({ ledger, agent, replicas, received, notification }: Checked): Promise<string> {
  const arrived = new Map<string, number>()
  for (const { headers } of received) {
    const id = String(headers['webhook-id'])
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
  }
  for (const [id, times] of arrived) if (times > 1) note(ledger, WEBHOOKS, `${id} was sent ${times} times`)
  const states = new Map<string, number>()
  const told = new Set<string>()
  const begun = ledger.now()
  // Those that are under way are not among those that wait.
  for (;;) {
    states.clear()
    told.clear()
    for await (const { state, completion_id } of pagesOf(
      agent,
      `/notifications/${notification}/deliveries`,
    )) {
      states.set(state, (states.get(state) ?? 0) + 1)
      if (told.has(completion_id)) note(ledger, WEBHOOKS, `two deliveries of ${completion_id}`)
      told.add(completion_id)
    }
    const open = (states.get('pending') ?? 0) + (states.get('sending') ?? 0)
    if (open === 0) break
    if (ledger.now() - begun > QUEUES_WITHIN_MS) {
      note(ledger, WEBHOOKS, `${open} have not ended`)
      break
    }
    await wait(200)
  }
  const completions = new Set(received.map(({ payload }) => payload.completion?.id))
  // Each start forgets all but the newest deliveries, also those of which nobody knows whether they arrived.
  const looked = told.size < KEPT_OF_ONE ? ledger.answered : ledger.answered.slice(-KEPT_OF_ONE / 2)
  for (const { id, answer, state } of looked)
    if (answer !== null && !completions.has(id) && !told.has(id))
      note(ledger, WEBHOOKS, `nothing tells of completion ${id} (${state}), answered ${answer}`)
  const arrivals = (states.get('delivered') ?? 0) + (states.get('rejected') ?? 0)
  if (arrived.size < arrivals)
    note(ledger, WEBHOOKS, `${arrivals} are told as answered, ${arrived.size} arrived`)
  const unknown = states.get('unknown') ?? 0
  const most = ledger.kills.length * AT_ONCE * replicas
  if (unknown > most) note(ledger, WEBHOOKS, `${unknown} are unknown, and at most ${most} were under way`)
  return [...states].map(([state, count]) => `${count} ${state}`).join(', ')
}

function checkChannel({ ledger, sent }: Checked): string {
  let answers = 0
  for (const [person, said] of ledger.said) {
    const answered = sent.filter(({ thread }) => thread === person).map(({ text }) => text)
    answers += answered.length
    const at = said.findIndex((text, nth) => text !== answered[nth])
    if (at >= 0 || answered.length > said.length)
      note(
        ledger,
        CHANNEL,
        `${person} said ${said.length} and was answered ${answered.length} times; ${said[at]} by ${answered[at]}`,
      )
  }
  return `${answers} answers in ${ledger.said.size} chats`
}

function checkMemory(ledger: Ledger, samples: readonly Sample[]): string {
  let [most, growth] = [0, 0]
  for (const life of Map.groupBy(samples, ({ pid }) => pid).values()) {
    const memory = life.map(({ memory }) => memory)
    most = Math.max(most, ...memory)
    if (memory.length < LONG) continue
    const quarter = (nth: number) => memory.slice((nth * memory.length) / 4, ((nth + 1) * memory.length) / 4)
    growth = Math.max(growth, median(quarter(3)) - median(quarter(1)))
  }
  if (most > MOST_MEMORY) note(ledger, MEMORY, `${inMib(most)} are more than ${inMib(MOST_MEMORY)}`)
  if (growth > MOST_GROWTH) note(ledger, MEMORY, `a process grew by ${inMib(growth)}`)
  return `${inMib(most)} at most, ${inMib(growth)} more in the last quarter of a life than in its second`
}

function checkLog({ engine, ledger, samples }: Checked): string {
  const most = Math.max(...samples.map(({ walBytes }) => walBytes))
  if (engine === 'sqlite' && most > MOST_LOG)
    note(ledger, LOG, `${inMib(most)} are more than ${inMib(MOST_LOG)}`)
  return `${inMib(most)} at most`
}

function checkLoop(ledger: Ledger, samples: readonly Sample[]): string {
  const delays = samples.map(({ delayMs }) => delayMs)
  const usual = median(delays)
  // A run of seconds mostly shows processes that start.
  if (delays.length > 4 * LONG && usual > MOST_DELAY_MS) note(ledger, LOOP, `${usual.toFixed(0)} ms`)
  return `p99 of the delay ${usual.toFixed(0)} ms in the median, ${Math.max(...delays).toFixed(0)} ms at most`
}

/** Looks for the words of erased prompts in everything that is stored: in files on SQLite, in rows on PostgreSQL. */
export async function checkErased(ledger: Ledger, database: FreshDatabase): Promise<Promised> {
  const marks = new Set(ledger.answered.filter(({ state }) => state === 'erased').map(({ mark }) => mark))
  const stored = database.databaseUrl ? rowsOf(database.databaseUrl) : filesOf(database.dataDir)
  let places = 0
  for await (const [place, text] of stored) {
    places++
    for (const [mark] of text.matchAll(/mark\d+q\d{4}/g))
      if (marks.has(mark)) note(ledger, ERASED, `${mark} is in ${place}`)
  }
  const where = database.databaseUrl ? 'tables' : 'files'
  return promised(ledger, ERASED, `${marks.size} prompts erased and looked for in ${places} ${where}`)
}

async function* filesOf(folder: string): AsyncGenerator<[string, string]> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const file = join(entry.parentPath, entry.name)
      yield [file, await readFile(file, 'latin1')]
    }
}

async function* rowsOf(url: string): AsyncGenerator<[string, string]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select tablename from pg_tables where schemaname = current_schema()`)
  for (const { tablename } of rows) {
    const { rows } = await client.query(
      `select t::text as text from "${tablename}" as t where t::text like '%mark%'`,
    )
    yield [tablename, rows.map(({ text }) => text).join('\n')]
  }
  await client.end()
}

const inMib = (bytes: number) => `${(bytes / MIB).toFixed(0)} MiB`
