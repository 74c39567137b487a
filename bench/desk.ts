// What do a group, hours and targets add to a prompt, and to a page of the inbox? A Parley with them and one without are
// asked by turns; what workers do later is left out. On PostgreSQL with PARLEY_TEST_DATABASE_URL, else on SQLite.
import { median } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import { type BenchServer, startParley } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const PROMPTS = Number(process.env.PROMPTS ?? 200)
const PAGES = Number(process.env.PAGES ?? 300)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const CONNECTIONS = 8

const ALWAYS = {
  time_zone: 'Europe/Berlin',
  week: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
  holidays: [],
}
const PRO = { field: 'tags.plan', op: 'eq', value: 'pro' }

const ask = (content: string) => (parley: BenchServer) =>
  call(parley, 'POST', '/chat/completions', { messages: [{ role: 'user', content }] })
const page = (query: string) => (parley: BenchServer) => call(parley, 'GET', `/inbox?per_page=50&${query}`)

const WORK: [string, number, (parley: BenchServer) => Promise<void>][] = [
  ['a prompt that is answered', PROMPTS, ask('How long does delivery take?')],
  ['a prompt after which a person is waited for', PROMPTS, ask('I want to talk to a person')],
  ['a page, view=open', PAGES, page('view=open')],
  ['a page, view=waiting&sort=waiting', PAGES, page('view=waiting&sort=waiting')],
]

const names = ['without', 'with'] as const
const servers: BenchServer[] = []
for (const name of names) {
  const databaseUrl = SERVER && (await createDatabase(SERVER, `parley_bench_desk_${name}`))
  servers.push(
    await startParley({ PARLEY_ROLES: 'api', ...(databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}) }),
  )
}
for (const [at, parley] of servers.entries()) {
  await call(parley, 'POST', '/knowledge', {
    title: 'How long does delivery take?',
    content: 'Delivery takes two to four working days.',
  })
  if (names[at] === 'without') continue
  await call(parley, 'PATCH', '/agent', { hours: ALWAYS })
  await call(parley, 'POST', '/groups', { name: 'Support', operators: [], agents: [], hours: ALWAYS })
  await call(parley, 'POST', '/targets', { name: 'Pro', position: 1, condition: PRO, first_response: 10 })
  const all = { name: 'All', first_response: 600, next_response: 600, resolution: 4800 }
  await call(parley, 'POST', '/targets', all)
}
const rows: (string | number)[][] = []
for (const [title, times, work] of WORK) {
  const spent = servers.map((): number[] => [])
  for (let round = -2; round < ROUNDS; round++)
    for (const at of round % 2 ? [1, 0] : [0, 1]) {
      const parley = servers[at] as BenchServer
      const before = parley.cpu()
      await many(times, () => work(parley))
      if (round >= 0) spent[at]?.push(((parley.cpu() - before) * 1000) / times)
    }
  const ratios = spent[1]?.map((ms, round) => ms / (spent[0]?.[round] ?? 1)) ?? []
  rows.push([title, ...spent.map(median), median(ratios)])
}
printTable([['processor time in ms', ...names, 'ratio'], ...rows])
for (const [at, parley] of servers.entries()) {
  await parley.stop()
  if (SERVER) await dropDatabase(SERVER, `parley_bench_desk_${names[at]}`)
}

async function call(
  { url, headers }: BenchServer,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
}

/** Does a piece of work a number of times, some beside each other. */
async function many(times: number, work: () => Promise<void>): Promise<void> {
  let left = times
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}
