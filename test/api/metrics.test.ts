import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { DELETED_AGENTS } from '../../src/agents/delete-agent.ts'
import { OWN_VERSION } from '../../src/lib/own-version.ts'
import { pause } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel, type PlatformPeer, startPlatformPeer } from '../support/platform-peer.ts'
import { addNotification, type Receiver, startReceiver } from '../support/receiver.ts'
import { sendFile } from '../support/upload.ts'

const TOKEN = 'a-token-of-prometheus'

onBothEngines(
  'what /metrics tells of the work of the service',
  (service) => {
    let receiver: Receiver
    let peer: PlatformPeer
    before(async () => {
      receiver = await startReceiver()
      peer = await startPlatformPeer()
    })
    after(async () => {
      await receiver.close()
      await peer.close()
    })

    async function read(): Promise<Map<string, number>> {
      const headers = { authorization: `Bearer ${TOKEN}` }
      const text = await (await fetch(`${service.app.url}/metrics`, { headers })).text()
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/ (\S+)$/.exec(line)?.[1])]))
    }
    async function becomes(name: string, isRight: (value: number) => boolean): Promise<void> {
      for (let value: number | undefined; ; await pause()) {
        value = (await read()).get(name)
        if (value !== undefined && isRight(value)) return
      }
    }

    it('deliveries by outcome, those that wait, the oldest of them, and endpoints that are held', async () => {
      const agent = await service.addAgent()
      const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
      receiver.respond = (response) => void response.writeHead(204).end()
      await agent.prompt('hello')
      await becomes('parley_deliveries_total{outcome="delivered"}', (count) => count === 1)
      receiver.respond = (response) => void response.writeHead(500).end()
      await agent.prompt('hello')
      await becomes('parley_deliveries_total{outcome="rejected"}', (count) => count === 1)
      assert.ok(((await read()).get('parley_delivery_seconds_count') ?? 0) >= 2)

      const { db } = service.app.app.foundation.database
      const held_until = new Date(service.clock() + 60_000).toISOString()
      await db.updateTable('notifications').set({ failures: 10, held_until }).where('id', '=', id).execute()
      await agent.prompt('hello')
      await becomes('parley_deliveries_waiting', (count) => count === 1)
      service.clock = () => Date.now() + 30_000
      const metrics = await read()
      service.clock = Date.now
      assert.equal(metrics.get('parley_endpoints_held'), 1)
      assert.ok((metrics.get('parley_deliveries_oldest_seconds') ?? 0) >= 29)
      await agent.call('DELETE', `/notifications/${id}`)
    })

    it('sends to platforms by outcome and reason, and channels whose token is refused', async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'messenger-one', peer)
      await channel.says('hello')
      const sent = 'parley_channel_sends_total{platform="messenger-one",outcome="sent",reason=""}'
      await becomes(sent, (count) => count === 1)
      peer.failNext((response) => void response.writeHead(401).end())
      await channel.says('hello again')
      const refused =
        'parley_channel_sends_total{platform="messenger-one",outcome="refused",reason="unauthorized"}'
      await becomes(refused, (count) => count === 1)
      await becomes('parley_channels_refused', (count) => count === 1)
      await becomes('parley_work{kind="channels",state="parked"}', (count) => count === 1)
    })

    it('files by operation, place and outcome, with their bytes', async () => {
      const agent = await service.addAgent()
      const { conversation_id } = await agent.prompt('hello')
      const { file } = await sendFile(agent, conversation_id, 'a.txt', 'kingfisher')
      const read = (id: string) =>
        fetch(`${agent.baseUrl}/conversations/${conversation_id}/attachments/${id}`, {
          headers: agent.headers,
        })
      assert.equal(await (await read(file.id)).text(), 'kingfisher')
      const of = (operation: string, outcome = 'ok') =>
        `parley_file_seconds_count{operation="${operation}",place="database",outcome="${outcome}"}`
      await becomes(of('write'), (count) => count === 1)
      await becomes(of('read'), (count) => count === 1)
      for (const operation of ['write', 'read'])
        await becomes(
          `parley_file_bytes_total{operation="${operation}",place="database"}`,
          (bytes) => bytes === 10,
        )
      const { db } = service.app.app.foundation.database
      await db.deleteFrom('file_pieces').where('file_id', '=', file.id).execute()
      assert.equal((await read(file.id)).status, 404)
      await becomes(of('read', 'gone'), (count) => count === 1)
    })

    it('model calls with their tokens, cost and what is left of the budget', async () => {
      const agent = await service.addAgent()
      const prices = { 'test-model': { input: 1_000_000, output: 0 } }
      assert.equal((await agent.patch('/agent', { prices, budget: { day: 100 } })).status, 200)
      const before = (await read()).get('parley_model_tokens_total{purpose="answer",direction="input"}') ?? 0
      service.model.next({ text: 'ok', usage: { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 } })
      await agent.prompt('hello')
      const of = `agent_id="${agent.agentId}",period="day"`
      await becomes(`parley_model_cost{${of}}`, (cost) => cost === 40)
      const metrics = await read()
      assert.equal(metrics.get(`parley_budget_left{${of}}`), 60)
      assert.equal(metrics.get('parley_model_tokens_total{purpose="answer",direction="input"}'), before + 40)
      assert.ok((metrics.get('parley_model_call_seconds_count{purpose="answer",outcome="ok"}') ?? 0) > 0)
    })

    it('the time to the first piece of a streamed answer', async () => {
      const agent = await service.addAgent()
      await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'hello' }], stream: true })
      await becomes('parley_model_first_piece_seconds_count{purpose="answer"}', (count) => count >= 1)
    })

    it('the database, the processes, the event loop, and work of every kind', async () => {
      const metrics = await read()
      for (const name of [
        'parley_database_bytes',
        'parley_database_answer_seconds',
        `parley_processes{version="${OWN_VERSION}"}`,
        'parley_nodejs_eventloop_lag_p99_seconds',
        'parley_process_resident_memory_bytes',
      ])
        assert.ok((metrics.get(name) ?? 0) > 0, name)
      for (const name of [
        'parley_migrations_pending',
        'parley_redaction_backlog',
        'parley_search_backlog',
        'parley_live_streams',
        'parley_work_oldest_seconds{kind="automations"}',
        'parley_work{kind="imports",state="waiting"}',
        'parley_work{kind="summaries",state="parked"}',
        ...(service.engine === 'postgres' ? ['parley_database_connections{state="waiting"}'] : []),
      ])
        assert.ok(metrics.has(name), name)
    })

    it('the tasks of housekeeping whose last run failed', async (t) => {
      const { engine, wakeUps } = service.app.app.foundation.database
      const failed = 'parley_housekeeping_failed{task="erasing deleted agents"}'
      assert.equal((await read()).get(failed), 0)
      const { mock } = t.mock.method(engine, 'eraseOverwritten', async () => {
        throw new Error('no room')
      })
      const sibling = await service.addAgent()
      const agent = await service.addAgent({ teamId: sibling.teamId })
      await agent.post('/pause')
      assert.equal((await sibling.call('DELETE', `/agents/${agent.agentId}`)).status, 202)
      await becomes(failed, (value) => value === 1)
      mock.restore()
      wakeUps.send(DELETED_AGENTS)
      await becomes(failed, (value) => value === 0)
    })

    it('a value that cannot be read is no number, and the others are there', async (t) => {
      const { engine } = service.app.app.foundation.database
      t.mock.method(engine, 'load', async () => {
        throw new Error('no rights')
      })
      await becomes('parley_database_bytes', Number.isNaN)
      assert.equal((await read()).get('parley_sessions'), 0)
    })
  },
  { PARLEY_METRICS_TOKEN: TOKEN },
)
