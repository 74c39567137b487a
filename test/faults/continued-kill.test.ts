import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timestamp } from '../../src/lib/clock.ts'
import { type DatabasePlace, openDatabase } from '../../src/storage/database.ts'
import type { TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { addMailChannel, startMailPeer } from '../support/mail-peer.ts'
import { startModelServer } from '../support/model-server.ts'
import {
  databaseWithAgent,
  firstAgentOf,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'
import { ADDRESSES, addWidget } from '../support/widget-visitors.ts'

// As many as a mail server takes at once from one process.
const VISITORS = ['anna', 'ben', 'carla']

for (const engine of engines) {
  const many = engine === 'sqlite' ? 1 : 2
  const who = many === 1 ? 'a process' : 'two replicas'

  it(`${who} killed once the mail server has taken unseen answers: nobody gets one twice unasked, on ${engine}`, async (t) => {
    await using model = await startModelServer()
    await using peer = await startMailPeer()
    const database = await databaseWithAgent(engine)
    const env = settingsOn(database, {
      ...ADDRESSES,
      PARLEY_MODEL_URL: model.url,
      PARLEY_PUBLIC_URL: 'https://parley.example',
      PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
    })
    const started: ServiceProcess[] = []
    /** Starts a process, which is called at its own address. */
    const start = async () => {
      const port = await freePort()
      const service = await startService({ ...env, PARLEY_PORT: `${port}` })
      started.push(service)
      return { ...service, url: `http://127.0.0.1:${port}` }
    }
    const startAll = () => Promise.all(Array.from({ length: many }, start))
    t.after(async () => {
      await Promise.all(started.map((one) => one.end('SIGTERM')))
      await database.remove()
    })
    const first = await start()
    const agentOf = firstAgentOf(first)
    const agent = agentOf(first)
    const { id } = await addMailChannel(agent, peer, 'help@shop.example')
    const widget = await addWidget(first, agent, { continue_by: id })
    const conversations: string[] = []
    for (const name of VISITORS) {
      const visitor = await widget.visit()
      const { conversation_id } = (await visitor.say('Hello')).first
      conversations.push(conversation_id as string)
      assert.equal((await visitor.post('/mail', { address: `${name}@example.org` })).status, 200)
      await agent.post(`/conversations/${conversation_id}/messages`, { content: `To ${name}`, author: 'Eva' })
    }
    await first.end('SIGTERM')
    await passWait(database)

    peer.failNext(...VISITORS.map(() => 'say nothing' as const))
    const killed = await startAll()
    await peer.untilSent(VISITORS.length)
    await Promise.all(killed.map((one) => one.end('SIGKILL')))

    const services = await startAll()
    const [next] = services as [ServiceProcess]
    await until(async () => (await lastOf(agentOf(next), conversations)).every(isUnknown))
    assert.deepEqual(
      peer.sent.map(({ to }) => to[0]).sort(),
      VISITORS.map((name) => `${name}@example.org`),
    )
    // Once a person says so, each goes once more, whichever replica sends it.
    for (const [at, { id }] of (await lastOf(agentOf(next), conversations)).entries()) {
      const { status, text } = await agentOf(next).post(
        `/conversations/${conversations[at]}/messages/${id}/resend`,
      )
      assert.equal(status, 200, text)
    }
    await until(async () => (await lastOf(agentOf(next), conversations)).every(isSent))
    const sent = peer.sent.map(({ to, mail }) => `${to[0]}: ${mail.text?.match(/To \w+/)?.[0]}`)
    assert.deepEqual(
      sent.sort(),
      VISITORS.flatMap((name) => Array(2).fill(`${name}@example.org: To ${name}`)),
    )
  })
}

/** Has the time pass for which messages wait to be seen. */
async function passWait(place: DatabasePlace): Promise<void> {
  const { db, close } = await openDatabase(place)
  const due_at = timestamp(Date.now())
  await db.updateTable('mailbox_items').set({ due_at }).where('state', '=', 'waiting').execute()
  await db.updateTable('mailboxes').set({ due_at }).where('due_at', 'is not', null).execute()
  await close()
}

interface Last {
  id: number
  delivery: string | null
  mailed?: { to: string }
}

/** Returns the last message of each conversation. */
function lastOf(agent: TestAgent, conversations: readonly string[]): Promise<Last[]> {
  return Promise.all(
    conversations.map(
      async (id) => (await agent.get(`/conversations/${id}/messages`)).body.data.at(-1) as Last,
    ),
  )
}

function isUnknown({ delivery, mailed }: Last): boolean {
  return delivery === 'unknown' && mailed !== undefined
}

function isSent({ delivery }: Last): boolean {
  return delivery === 'sent'
}
