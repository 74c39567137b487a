import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { engines } from '../support/databases.ts'
import { type LiveEvent, type LiveStream, openLive } from '../support/live-stream.ts'
import { startModelServer } from '../support/model-server.ts'
import {
  databaseWithAgent,
  firstAgentOf,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'

const CONVERSATIONS = 20
const LISTENERS = 200
const MESSAGES = 10_000
/** A prompt of so many messages, with its answer. */
const MESSAGES_A_PROMPT = 25

for (const engine of engines) {
  const where = engine === 'sqlite' ? 'a process' : 'one of two replicas'

  it(`every listener gets each message of its conversation once and in order when ${where} is killed, on ${engine}`, async () => {
    await using model = await startModelServer()
    const database = await databaseWithAgent(engine)
    const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
    const services = [await startService(env)]
    const agentOf = firstAgentOf(services[0] as ServiceProcess)
    if (engine === 'postgres') services.push(await startService(env))
    const { headers } = agentOf(services[0] as ServiceProcess)
    const liveUrl = (service: ServiceProcess) => `${service.url}/api/v1/live`
    const service = (at: number) => services[at % services.length] as ServiceProcess
    const conversations = await Promise.all(
      Array.from({ length: CONVERSATIONS }, async (_, n) => {
        const { conversation_id } = await agentOf(service(n)).prompt('Hello', { external_id: `c${n}` })
        return conversation_id
      }),
    )

    const open = new Set<LiveStream>()
    let isOver = false
    let breaks = 0
    let told = 0
    const heard = Array.from({ length: LISTENERS }, (): number[] => [])
    const listening = heard.map(async (ids, n) => {
      const conversation = conversations[n % CONVERSATIONS]
      let last = ''
      while (!isOver) {
        const stream = await listen(n, conversation, last, ids)
        if (stream === null) await wait(50)
        else {
          open.add(stream)
          await stream.ended
          open.delete(stream)
          last = stream.lastId
          if (!isOver) breaks++
        }
      }
    })
    async function listen(n: number, conversation: string | undefined, last: string, ids: number[]) {
      const place: Record<string, string> = last === '' ? {} : { 'last-event-id': last }
      const hear = ({ type, message }: LiveEvent) => {
        if (type !== 'message') return
        ids.push(message.id)
        told++
      }
      const url = `${liveUrl(service(n))}?conversation_id=${conversation}`
      const stream = await openLive(url, { ...headers, ...place }, hear).catch(() => null)
      return stream?.status === 200 ? stream : null
    }
    while (open.size < LISTENERS) await wait(10)

    const prompts = MESSAGES / CONVERSATIONS / MESSAGES_A_PROMPT
    const said = Array.from({ length: MESSAGES_A_PROMPT - 1 }, (_, n) => ({
      role: 'user',
      content: `line ${n}`,
    }))
    let asked = 0
    const asking = conversations.map(async (conversation_id, n) => {
      for (let left = prompts; left > 0; ) {
        const answer = await agentOf(service(n))
          .post('/chat/completions', { messages: said, conversation_id })
          .catch(() => null)
        if (answer?.status === 200) left--
        else await wait(50)
        asked++
      }
    })
    while (asked < (prompts * CONVERSATIONS) / 3) await wait(10)
    const toldBefore = told
    const [killed] = services
    await killed?.end('SIGKILL')
    if (engine === 'postgres') services.shift()
    services.push(await startService(env))
    if (engine === 'sqlite') services.shift()
    await Promise.all(asking)

    const expected = new Map<string, number[]>()
    for (const id of conversations) {
      const ids: number[] = []
      for (let page = 1, isMore = true; isMore; page++) {
        const path = `/conversations/${id}/messages?per_page=100&page=${page}`
        const { body } = await agentOf(service(0)).get(path)
        ids.push(...body.data.map((message: { id: number }) => message.id))
        isMore = body.data.length === 100
      }
      // The greeting prompt and its answer were there before anybody listened.
      expected.set(id, ids.slice(2))
    }
    const lastOf = (n: number) => expected.get(conversations[n % CONVERSATIONS] ?? '') ?? []
    const until = Date.now() + 60_000
    while (heard.some((ids, n) => ids.at(-1) !== lastOf(n).at(-1)) && Date.now() < until) await wait(20)
    isOver = true
    for (const stream of open) stream.leave()
    await Promise.all(listening)
    const total = [...expected.values()].reduce((sum, ids) => sum + ids.length, 0)
    assert.ok(total >= MESSAGES, `${total} messages`)
    for (const [n, ids] of heard.entries()) assert.deepEqual(ids, lastOf(n), `listener ${n}`)
    assert.ok(breaks >= LISTENERS / 2, `${breaks} streams were broken off`)
    assert.ok(toldBefore > 0 && toldBefore < told, 'the kill landed in the middle')
    await Promise.all(services.map((service) => service.end('SIGTERM')))
    await database.remove()
  })
}
