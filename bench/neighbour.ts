// How long does one team's work take beside another team of the same process, with three agents whose pieces hang, or
// are many? Two processes, one with the other team's pieces and one without, are asked by turns; for each kind of work
// there are two new ones. The target is at most twice. ONLY="chats mails" names kinds, ROUNDS and HANGING say how much.
// PARLEY_TEST_DATABASE_URL names a PostgreSQL server, else it is SQLite.
import { spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { SMTPServer } from 'smtp-server'
import { median } from '../test/support/quantile.ts'
import { makeChannel, nextEvent } from './support/channel-events.ts'
import { addAgent, create } from './support/create.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { load, printTable } from './support/load.ts'
import { type BenchServer, MASTER_KEY, ROOT, startParley } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 10)
/** The number of pieces that hang. */
const HANGING = Number(process.env.HANGING ?? 400)
const TARGET = 2
/** A piece that takes longer has been kept waiting. */
const LATE_MS = 30_000
const postgres = process.env.PARLEY_TEST_DATABASE_URL
const NOTES = 'You keep the notes'
/** The pictures that come at once, of 340 KiB each. */
const PICTURES = 1000
const LONG = 'Where is my order? I have waited for a week. '.repeat(40)

/** Two teams of one process. */
interface World {
  name: 'alone' | 'beside'
  good: BenchServer
  /** The agents of the other team. */
  bad: BenchServer[]
  /** The processor time of the process, in seconds. */
  cpu(): number
}

interface Work {
  /** Prepares the good agent; the function that is returned does one piece. */
  good(world: World): Promise<() => Promise<unknown>>
  /** Has pieces of one of the bad agents hang. What it returns goes on until the signal fires. */
  hang(agent: BenchServer, signal: AbortSignal): Promise<unknown>
}

type Answer = Record<string, unknown>

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
const picture = await sharp({
  create: { width: 1280, height: 960, channels: 3, background: '#808080', noise },
})
  .jpeg({ quality: 70 })
  .toBuffer()

/** Arrivals at the good team's peers, by the name of the world. */
const arrivals = new EventEmitter()
const good = createServer(async (request, response) => {
  const body = request.method === 'POST' ? await text(request) : ''
  const world = /alone|beside/.exec(request.url ?? '')?.[0] ?? ''
  if (request.url?.endsWith('/embeddings')) {
    const { input } = JSON.parse(body) as { input: string[] }
    const data = input.map((_, index) => ({ index, embedding: [1, index, 0.5, 0.25] }))
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(
      JSON.stringify({ data, model: 'bench', usage: { prompt_tokens: 1, total_tokens: 1 } }),
    )
  }
  if (request.url?.endsWith('/chat/completions')) answer(response, body)
  else if (request.url?.endsWith('/content')) response.end(picture)
  else if (request.method === 'POST')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Shop</title><p>${LONG}</p>`)
  if (!request.url?.endsWith('/chat/completions') || body.includes(NOTES)) arrivals.emit(world)
})
/** Never answers, so that calls hang. Below `/but-prompts` it answers all requests except those for notes. */
const hanging = createServer(async (request, response) => {
  const body = await text(request)
  if (request.url?.startsWith('/but-prompts') && !body.includes(NOTES)) answer(response, body)
})
const mails = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  logger: false,
  onRcptTo({ address }, _session, done) {
    if (!address.endsWith('@hangs.example')) done()
  },
  async onData(stream, { envelope }, done) {
    await text(stream)
    done()
    arrivals.emit(/alone|beside/.exec(envelope.rcptTo[0]?.address ?? '')?.[0] ?? '')
  },
})
mails.on('error', () => {})
const servers = { good, hanging, mails: mails.server }
for (const server of Object.values(servers)) await once(server.listen(0, '127.0.0.1'), 'listening')
const portOf = (name: keyof typeof servers) => (servers[name].address() as AddressInfo).port
const goodUrl = `http://127.0.0.1:${portOf('good')}`
const hangingUrl = `http://127.0.0.1:${portOf('hanging')}`

let made = 0
const model = (url: string) => ({ model: { url, name: 'bench' } })
const patch = (agent: BenchServer, settings: object) => call(agent, 'PATCH', 'agent', settings)
const prompt = (agent: BenchServer, content: string, more: object = {}) =>
  call(agent, 'POST', 'chat/completions', { messages: [{ role: 'user', content }], ...more })
const each = async (count: number, piece: (nth: number) => Promise<unknown>) => {
  for (let nth = 0; nth < count; nth++) await piece(nth)
}
/** Does something, and waits for what the good team's peer then receives. */
const arrives = async ({ name }: World, act: () => Promise<unknown>) => {
  const arrived = once(arrivals, name)
  await act()
  await arrived
}
const say = async ({ url }: BenchServer, path: string, message: object = {}) => {
  const { body, headers } = nextEvent(message)
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(await response.text())
}
const until = async (agent: BenchServer, path: string, isDone: (data: Answer) => boolean) => {
  while (!isDone((await call(agent, 'GET', path)).data)) await wait(5)
}

const webhook = async (agent: BenchServer, url: string) =>
  create(agent, 'automations', { name: 'Call', actions: [{ type: 'call_webhook', url }] })
const datasetOf = async (agent: BenchServer) => {
  const { id } = await create(agent, 'datasets', { name: 'Bench' })
  await create(agent, `datasets/${id}/cases`, { messages: [{ role: 'user', content: 'Say yes' }] })
  return id
}
/** Goes on with a conversation that is too long for the agent's model. */
const talk = (agent: BenchServer, external_id: string) => prompt(agent, LONG, { external_id, user: 'u' })

const kinds: Record<string, Work> = {
  chats: {
    async good(world) {
      const path = await makeChannel(world.good, channelTo(`${goodUrl}/${world.name}`))
      return () => arrives(world, () => say(world.good, path))
    },
    async hang(agent) {
      await patch(agent, model(`${hangingUrl}/v1`))
      const path = await makeChannel(agent, channelTo(`${goodUrl}/bad`))
      await each(HANGING / 3, () => say(agent, path))
    },
  },
  'bulk acts': {
    async good({ good }) {
      const { conversation_id } = await prompt(good, 'Hello')
      return async () => {
        const action = { type: 'tag', tags: { [`tag ${++made % 5}`]: made } }
        const { data } = await call(good, 'POST', 'inbox/bulk', { ids: [conversation_id], action })
        await until(good, `inbox/bulk/${data.id}`, ({ finished_at }) => finished_at !== null)
      }
    },
    async hang(agent, signal) {
      await each(HANGING / 2, () => prompt(agent, 'Hello'))
      const act = async () => {
        const action = { type: 'tag', tags: { [`tag ${++made % 5}`]: made } }
        // Ten acts are under way or wait all the time.
        const { data } = await call(agent, 'POST', 'inbox/bulk', { filter: { view: 'all' }, action })
        await until(
          agent,
          `inbox/bulk/${data.id}`,
          ({ finished_at }) => signal.aborted || finished_at !== null,
        )
      }
      for (let lane = 0; lane < 10; lane++) void repeat(act, signal)
    },
  },
  'test runs': {
    async good({ good }) {
      const dataset_id = await datasetOf(good)
      return async () => {
        const { id } = await create(good, 'runs', { dataset_id })
        await until(good, `runs/${id}`, ({ status }) => status === 'done')
      }
    },
    async hang(agent) {
      await patch(agent, model(`${hangingUrl}/v1`))
      const dataset_id = await datasetOf(agent)
      await each(4, () => create(agent, 'runs', { dataset_id }))
    },
  },
  embeddings: {
    async good({ good }) {
      await patch(good, { embedding: { url: `${goodUrl}/v1`, name: 'bench' } })
      return async () => {
        const content = `${++made}: ${LONG}`
        await create(good, 'knowledge', { title: `${made}`, content })
        const isDone = ({ status, passages, embedded }: Answer) => status === 'done' && passages === embedded
        await until(good, 'knowledge/embedding', isDone)
      }
    },
    async hang(agent) {
      await patch(agent, { embedding: { url: `${hangingUrl}/v1`, name: 'bench' } })
      await each(3, (nth) => create(agent, 'knowledge', { title: `${nth}`, content: `${nth}: ${LONG}` }))
    },
  },
  automations: {
    async good(world) {
      await webhook(world.good, `${goodUrl}/${world.name}`)
      return () => arrives(world, () => prompt(world.good, 'Hello'))
    },
    async hang(agent) {
      await webhook(agent, `${hangingUrl}/`)
      await each(HANGING / 3, () => prompt(agent, 'Hello'))
    },
  },
  summaries: {
    async good(world) {
      await patch(world.good, { context_tokens: 600, ...model(`${goodUrl}/${world.name}/v1`) })
      await each(3, () => talk(world.good, 'one'))
      await wait(500)
      return () => arrives(world, () => talk(world.good, 'one'))
    },
    async hang(agent) {
      await patch(agent, { context_tokens: 600, ...model(`${hangingUrl}/but-prompts/v1`) })
      await each(8, async () => {
        const external_id = `${++made}`
        await each(4, () => talk(agent, external_id))
      })
    },
  },
  imports: {
    async good({ good, name }) {
      return async () => {
        const { id } = await create(good, 'knowledge/imports', { url: `${goodUrl}/${name}/${++made}` })
        await until(good, `knowledge/imports/${id}`, ({ status }) => status === 'done')
      }
    },
    async hang(agent) {
      await each(3, (nth) => create(agent, 'knowledge/imports', { url: `${hangingUrl}/${nth}` }))
    },
  },
  mails: {
    async good(world) {
      const to = () => ({ email: `${world.name}-${++made}@good.example`, name: 'Good', right: 'read' })
      return () => arrives(world, () => create(world.good, 'operators', to()))
    },
    async hang(agent) {
      const to = () => ({ email: `${++made}@hangs.example`, name: 'Bad', right: 'read' })
      await each(8, () => create(agent, 'operators', to()))
    },
  },
  webhooks: {
    async good(world) {
      const url = `${goodUrl}/${world.name}`
      await create(world.good, 'notifications', { name: 'N', url, events: ['prompt_submit'] })
      return () => arrives(world, () => prompt(world.good, 'Hello'))
    },
    async hang(agent) {
      const url = `${hangingUrl}/`
      await each(10, () => create(agent, 'notifications', { name: 'N', url, events: ['prompt_submit'] }))
      await each(10, () => prompt(agent, 'Hello'))
    },
  },
  'prompts, beside 30 at once': {
    async good({ good }) {
      return () => prompt(good, 'What are your opening hours on Saturday?')
    },
    async hang(agent, signal) {
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'Where is my order?' }] })
      const flood = () => load(agent, { path: '/api/v1/chat/completions', body, connections: 10, seconds: 1 })
      void repeat(flood, signal)
    },
  },
  'prompts, beside 1,000 pictures': {
    async good({ good }) {
      return () => prompt(good, 'What are your opening hours on Saturday?')
    },
    async hang(agent) {
      const path = await makeChannel(agent, channelTo(goodUrl))
      const sent = { type: 'image', contentProvider: { type: 'line' } }
      await Promise.all(Array.from({ length: PICTURES / 3 }, () => say(agent, path, sent)))
    },
  },
}

const asked = process.env.ONLY?.split(' ')
const rows: (string | number)[][] = [
  ['', 'alone p50 ms', 'beside p50 ms', 'ratio', 'busy cores beside', `target ${TARGET}`],
]
for (const [kind, work] of Object.entries(kinds)) {
  if (asked && !asked.some((word) => kind.startsWith(word))) continue
  const row = [kind, ...(await measure(work))]
  // A run takes minutes: what is known is told at once.
  process.stderr.write(`${row.join(' | ')}\n`)
  rows.push(row)
}
printTable(rows)
process.exit()

/** Does pieces by turns in a process without the bad team's pieces and in one with them. */
async function measure({ good, hang }: Work): Promise<(string | number)[]> {
  const ended = new AbortController()
  const worlds = [await openWorld('alone'), await openWorld('beside')] as const
  const pieces = [await good(worlds[0]), await good(worlds[1])] as const
  for (const piece of pieces) await each(2, piece)
  for (const agent of worlds[1].bad) await hang(agent, ended.signal)
  const waits: [number[], number[]] = [[], []]
  const [cpu, since] = [worlds[1].cpu(), performance.now()]
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const which of [0, 1] as const) {
        const begun = performance.now()
        const late = wait(LATE_MS, 'late', { ref: false })
        const isLate = (await Promise.race([pieces[which](), late])) === 'late'
        waits[which].push(performance.now() - begun)
        if (isLate) return [...row(), `not reached: a piece ${worlds[which].name} waited ${LATE_MS / 1000} s`]
      }
    const [, , ratio = 0] = row()
    return [...row(), ratio <= TARGET ? 'reached' : 'not reached']
  } finally {
    ended.abort()
    hanging.closeAllConnections()
    for (const world of worlds) await world[Symbol.asyncDispose]()
  }

  function row(): number[] {
    const busy = (worlds[1].cpu() - cpu) / ((performance.now() - since) / 1000)
    const [alone, beside] = [median(waits[0]), median(waits[1])]
    return [alone, beside, beside / alone, busy]
  }
}

async function openWorld(name: World['name']): Promise<World & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const database = `parley_neighbour_${name}`
  const env = {
    PARLEY_LOG_LEVEL: 'error',
    PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
    PARLEY_SMTP_URL: `smtp://127.0.0.1:${portOf('mails')}`,
    PARLEY_MAIL_FROM: 'parley@example.com',
    ...(postgres ? { PARLEY_DATABASE_URL: await createDatabase(postgres, database) } : {}),
  }
  const parley = await startParley(env, directory)
  const { stdout } = spawnSync(
    process.execPath,
    ['src/main.js', 'agents', 'create', '--name', 'Good', '--json'],
    {
      cwd: ROOT,
      env: { ...process.env, PARLEY_DATA_DIR: directory, PARLEY_MASTER_KEY: MASTER_KEY, ...env },
    },
  )
  const { api_key, bearer_token } = JSON.parse(String(stdout))
  const headers = { 'x-api-key': api_key, authorization: `Bearer ${bearer_token}` }
  const others = [await addAgent(parley), await addAgent(parley)]
  return {
    name,
    good: { ...parley, headers },
    bad: [parley, ...others.map((headers) => ({ ...parley, headers }))],
    cpu: parley.cpu,
    async [Symbol.asyncDispose]() {
      await parley.stop()
      await rm(directory, { recursive: true, force: true })
      if (postgres) await dropDatabase(postgres, database)
    },
  }
}

/** Answers a call of a model. */
function answer(response: ServerResponse, body: string): void {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench' }
  const message = { role: 'assistant', content: 'Yes.' }
  const finish_reason = 'stop'
  if (JSON.parse(body).stream) {
    const event = JSON.stringify({ ...chunk, choices: [{ index: 0, delta: message, finish_reason }] })
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${event}\n\ndata: [DONE]\n\n`)
  } else {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...chunk, choices: [{ index: 0, message, finish_reason }] }))
  }
}

function channelTo(url: string): object {
  return { api_base: url, access_token: 'bench', debounce_ms: 0 }
}

/** Calls the API. @throws Error with the answer if that is no success */
async function call(
  agent: BenchServer,
  method: string,
  path: string,
  body?: object,
): Promise<Answer & { data: Answer }> {
  const response = await fetch(`${agent.url}/api/v1/${path}`, {
    method,
    headers: { ...agent.headers, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as Answer & { data: Answer }
}

/** Does something again and again until the signal fires; failures after that are of no interest. */
async function repeat(act: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) await act()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
