import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { parseArgs } from 'node:util'
import { createApp, createLogger } from '../../src/app/create-app.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { copy } from '../../src/commands/copy.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { type DatabasePlace, openDatabase } from '../../src/storage/database.ts'
import { startApp, type TestAgent, testAgent } from '../support/app.ts'
import { directions } from '../support/copying.ts'
import { freshDatabase } from '../support/databases.ts'
import { exampleIn } from '../support/guide.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'
import { settingsOn } from '../support/service-process.ts'

/** Runs the command in this process. @returns what it prints with --json, and its lines */
async function runCopy(env: Record<string, string>, options: CommandInput['options']) {
  const printed: { answer: unknown; lines: string }[] = []
  const print: CommandInput['print'] = (answer, lines) =>
    void printed.push({ answer, lines: [lines].flat().join('\n') })
  await copy.run({ config: readConfig(env), positionals: [], options, print })
  return printed[0] as { answer: { tables: number; resumed: boolean; unopened: string[] }; lines: string }
}

for (const [from, to] of directions)
  describe(`parley copy from ${from} to ${to}`, () => {
    it('prompts, erasure, search, webhooks and numbers go on where they were', async () => {
      await using receiver = await startReceiver()
      await using service = await startApp(from)
      const { config } = service.app.foundation
      const { agent } = service
      const { id, secret } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
      const first = await agent.prompt('Where do kettles sleep?', { user: 'Ada', external_id: 'ticket-7' })
      await receiver.until(1)
      await agent.prompt('And the saucepans?', { user: 'Ada', external_id: 'ticket-7' })
      await receiver.until(2)
      const { agentId: last } = await service.addAgent({ teamId: agent.teamId })
      await agent.call('DELETE', `/agents/${last}`)
      await service.app.close()
      await sendAgain(config)

      const target = await freshDatabase(to)
      await using opened = new AsyncDisposableStack()
      opened.defer(target.remove)
      const place = target.databaseUrl ?? `sqlite:${target.dataDir}`
      const source = config.databaseUrl ?? `sqlite:${config.dataDir}`
      const settings = settingsOn(target, { PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent' })
      const options = optionsInGuide(source, place)
      const { answer } = await runCopy(options.from === 'settings' ? settingsOn(config) : settings, options)
      assert.deepEqual([answer.resumed, answer.unopened], [false, []])

      const moved = readConfig({ ...settings, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
      const app = await createApp(await openFoundation(moved), createLogger(moved))
      opened.defer(app.close)
      const after = testAgent(`${await app.listen()}/api/v1`, agent)
      const next = await after.prompt('And the lids?', { user: 'Ada', external_id: 'ticket-7' })
      assert.deepEqual([next.conversation_id, next.number], [first.conversation_id, 3])
      const { body: messages } = await after.get(`/conversations/${first.conversation_id}/messages`)
      assert.equal(messages.data.length, 6)
      // The delivery that waited, and that of the new prompt.
      const received = await receiver.until(4)
      assert.deepEqual(
        received.slice(2).map(({ payload }) => payload.event.key),
        ['prompt_submit', 'prompt_submit'],
      )
      for (const { headers, raw } of received)
        assert.equal(
          headers['x-webhook-signature'],
          `sha256=${createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.${raw}`).digest('hex')}`,
        )
      assert.equal((await after.get(`/notifications/${id}`)).body.data.failures, 0)
      for (const q of ['kettles', 'lids'])
        assert.equal((await after.get(`/search?q=${q}`)).body.data.length, 1, q)
      assert.equal((await after.get('/inbox')).body.data[0].id, first.conversation_id)
      await scrubAll(after, 'Ada')
      assert.deepEqual((await after.get('/search?q=kettles')).body.data, [])
      const { body: made } = await after.post('/agents', { name: 'New' })
      assert.ok(made.data.id > last, 'the number of the deleted agent is not given again')
    })
  })

/** Returns the options of the guide's example for two places, one of which the settings name. */
function optionsInGuide(from: string, to: string) {
  const word = to.startsWith('sqlite') ? '--to sqlite' : 'cat data/master.key'
  const [, words = ''] = /^parley copy (.*)$/m.exec(exampleIn('docs/operations.md', 'sh', word)) ?? []
  const { values } = parseArgs({ args: words.split(' '), options: copy.options ?? {} })
  assert.deepEqual(Object.keys(values).sort(), ['from', 'to'])
  const named = values.from === 'settings' ? { from: 'settings', to } : { from, to: 'settings' }
  assert.equal(values.to === 'settings', named.to === 'settings')
  return named
}

/** Has the newest delivery wait, as if the service had stopped before it was sent. */
async function sendAgain(place: DatabasePlace): Promise<void> {
  const { db, close } = await openDatabase(place)
  const waiting = { state: 'pending', sent_at: null, finished_at: null, status: null, payload: null } as const
  await db.updateTable('deliveries').set(waiting).where('id', '=', 2).execute()
  await close()
}

async function scrubAll(agent: TestAgent, user: string): Promise<void> {
  for (let left = 1; left > 0; ) {
    const { status, text, body } = await agent.post(`/users/${user}/scrub`)
    assert.equal(status, 200, text)
    left = body.data.remaining
  }
}
