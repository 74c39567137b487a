// What do an agent's rules add to a prompt? Five keyword guardrails, two CTAs and three automations beside none: when
// none of them acts, and when one of each kind does. The floors are the rows of a prompt, without and with three rules.

import { median, quantile } from '../test/support/quantile.ts'
import { create } from './support/create.ts'
import { load, printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'
import { startFloor } from './support/start-floor.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 3)
const CONNECTIONS = [1, 10]

const modelPort = await freePort()
const words = ['bench/support/model-server.ts', `${modelPort}`, 'packet']
const model = await startServer('model', words, modelPort)
const relayed = `${model.url}/v1`
const settings = { PARLEY_MODEL_URL: relayed }
const servers = new Map([
  ['none', await startParley(settings)],
  ['ten that look on', await startParley(settings)],
  ['ten, of which three act', await startParley(settings)],
  ['floor, none', await startFloor('floor', relayed, 'all')],
  ['floor, three act', await startFloor('floor', relayed, 'rules')],
])
for (const [name, server] of servers) if (name.startsWith('ten')) await addRules(server, name.endsWith('act'))

const messages = [{ role: 'user', content: 'What are your opening hours on Saturday?' }]
const body = JSON.stringify({ model: 'any', messages })
for (const connections of CONNECTIONS) {
  const taken = new Map<string, number[]>()
  const used = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, server] of servers) {
      const path = '/api/v1/chat/completions'
      const { latencies, cpu } = await load(server, { path, body, connections, seconds: SECONDS })
      // The first round warms up.
      if (round === 0) continue
      taken.set(name, [...(taken.get(name) ?? []), quantile(latencies, 0.5)])
      used.set(name, [...(used.get(name) ?? []), cpu])
    }
  }
  const noneOf = (name: string) => (name.startsWith('floor') ? 'floor, none' : 'none')
  const of = (values: Map<string, number[]>, name: string) => median(values.get(name) ?? [])
  process.stdout.write(`\n${connections} connections\n`)
  printTable([
    ['rules', 'p50 ms', 'of none', 'CPU ms each', 'of none'],
    ...[...servers.keys()].map((name) => [
      name,
      of(taken, name),
      of(taken, name) / of(taken, noneOf(name)),
      of(used, name),
      of(used, name) / of(used, noneOf(name)),
    ]),
  ])
}
for (const server of servers.values()) await server.stop()
await model.stop()

/** Adds rules that look at each prompt and response; one of each kind finds its word if `act` is true. */
async function addRules(server: BenchServer, act: boolean): Promise<void> {
  const found = act ? 'saturday' : 'sunday'
  const add = async (path: string, body: object) => (await create(server, path, body)).id
  const lists = [['password'], ['refund', 'chargeback'], ['lawyer', 'court'], ['idiot', 'stupid'], [found]]
  for (const [index, words] of lists.entries()) {
    const evaluator_id = await add('evaluators', {
      name: `words ${index}`,
      kind: 'keywords',
      settings: { words },
    })
    const on = index % 2 === 0 ? 'prompt' : 'response'
    await add('guardrails', { name: `guardrail ${index}`, on, evaluator_id, action: 'flag' })
  }
  const says = (words: string[]) => ({ field: 'prompt.text', op: 'contains_any', value: words })
  const cta = { url: 'https://example.com', button: 'Look', max_per_conversation: 1 }
  await add('ctas', { name: 'hours', content: 'Our hours', ...cta, condition: says([found]) })
  await add('ctas', { name: 'plans', content: 'Our plans', ...cta, condition: says(['price', 'cost']) })
  await add('automations', {
    name: 'tag',
    condition: says([found]),
    actions: [{ type: 'tag', tag: 'hours' }],
  })
  for (const word of ['refund', 'invoice'])
    await add('automations', {
      name: word,
      condition: says([word]),
      actions: [{ type: 'add_note', text: word }],
    })
}
