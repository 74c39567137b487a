// What does masking add to a prompt's processor time? Two services of the same version by turns, one whose agent masks
// names, addresses and phone numbers: first prompts of conversations, and later ones, which send the history again.

import { median } from '../test/support/quantile.ts'
import { chatMessages } from './redaction/timing.ts'
import { load, printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const SECONDS = Number(process.env.SECONDS ?? 3)
const PROMPTS_OF_CONVERSATION = 20
const types = ['PERSON', 'LOCATION', 'EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD', 'IBAN_CODE']

const port = await freePort()
const model = await startServer('model', ['bench/support/model-server.ts', `${port}`, 'packet'], port)
const off = await startParley({ PARLEY_MODEL_URL: `${model.url}/v1`, PARLEY_MODEL: 'any' })
const on = await startParley({ PARLEY_MODEL_URL: `${model.url}/v1`, PARLEY_MODEL: 'any' })
const response = await fetch(`${on.url}/api/v1/agent`, {
  method: 'PATCH',
  headers: { ...on.headers, 'content-type': 'application/json' },
  body: JSON.stringify({ mask: { types } }),
})
if (!response.ok) throw new Error(await response.text())

const texts = chatMessages(2000, 300)
const rows: (string | number)[][] = []
for (const [name, prompts] of [
  ['first prompts', 1],
  [`conversations of ${PROMPTS_OF_CONVERSATION} prompts`, PROMPTS_OF_CONVERSATION],
] as const) {
  const used = new Map<BenchServer, number[]>([off, on].map((server) => [server, []]))
  let run = 0
  for (let round = 0; round <= ROUNDS; round++)
    for (const server of round % 2 === 0 ? [off, on] : [on, off]) {
      const { cpu } = await load(server, {
        path: '/api/v1/chat/completions',
        connections: 1,
        seconds: SECONDS,
        next: promptsOf(prompts, `${name} ${run++}`),
      })
      // The first round warms up.
      if (round > 0) used.get(server)?.push(cpu)
    }
  const [without = 0, masked = 0] = [...used.values()].map(median)
  rows.push([name, without, masked, masked / without])
}
printTable([['prompts of 300 bytes', 'off, CPU ms each', 'on', 'of off'], ...rows])
for (const server of [off, on, model]) await server.stop()

/** Makes the same prompts for both services, so many to a conversation. */
function promptsOf(count: number, run: string) {
  let asked = 0
  return () => {
    const content = texts[asked % texts.length]
    const external_id = `${run} ${Math.floor(asked++ / count)}`
    return { body: JSON.stringify({ messages: [{ role: 'user', content }], external_id }), headers: {} }
  }
}
