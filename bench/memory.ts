// How much resident memory does a service take that answers 120 prompts a second, half of them streams (SQLite)?
import { setTimeout as wait } from 'node:timers/promises'
import { load } from './support/load.ts'
import { freePort, startParley, startServer } from './support/servers.ts'

const SECONDS = Number(process.env.SECONDS ?? 120)
const STEP = 15

const port = await freePort()
const model = await startServer('model', ['bench/support/model-server.ts', `${port}`, 'packets'], port)
const parley = await startParley({ PARLEY_MODEL_URL: `${model.url}/v1`, PARLEY_MODEL: 'any' })
await wait(3000)
process.stdout.write(`idle ${parley.memory().toFixed(0)} MB\n`)
let asked = 0
for (let second = STEP; second <= SECONDS; second += STEP) {
  const { perSecond, cpu } = await load(parley, {
    path: '/api/v1/chat/completions',
    connections: 12,
    everyMs: 100,
    seconds: STEP,
    next() {
      const content = `Question ${asked}: what are your opening hours on Saturday?`
      const external_id = `conversation ${asked % 5000}`
      const stream = asked++ % 2 === 0
      return {
        body: JSON.stringify({ messages: [{ role: 'user', content }], external_id, stream }),
        headers: {},
      }
    },
  })
  const memory = parley.memory().toFixed(0)
  process.stdout.write(
    `after ${second} s ${memory} MB (${perSecond.toFixed(0)} a second, ${cpu.toFixed(2)} ms each)\n`,
  )
}
await wait(15_000)
process.stdout.write(`after 15 s of rest ${parley.memory().toFixed(0)} MB\n`)
await parley.stop()
await model.stop()
