import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pause } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'

const CALLERS = 8
const PROMPTS = 12

onBothEngines('redaction while webhooks go out', (service) => {
  it('neither holds up the other: all is scrubbed, all arrives once, no stored body is left', async () => {
    const agent = await service.addAgent()
    const receiver = await startReceiver()
    try {
      const { id } = await addNotification(agent, receiver.url)
      await Promise.all(
        Array.from({ length: CALLERS }, async (_, caller) => {
          for (let count = 0; count < PROMPTS; count++) {
            const answer = await agent.prompt(`secret ${caller} ${count}`)
            const { status, text } = await agent.post(`/chat/completions/${answer.id}/scrub`)
            assert.equal(status, 200, text)
          }
        }),
      )
      // new_conversation, prompt_submit, response_start, response_end.
      const total = CALLERS * PROMPTS * 4
      await receiver.until(total)
      const { db } = service.app.app.foundation.database
      const ofNotification = db.selectFrom('deliveries').where('notification_id', '=', id)
      const left = () => ofNotification.select('state').where('state', '!=', 'delivered').execute()
      const late = performance.now() + 5000
      while ((await left()).length > 0 && performance.now() < late) {
        await pause()
      }
      assert.deepEqual(await left(), [])
      assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, total)
      const stored = await ofNotification.select('payload').where('payload', 'like', '%secret%').execute()
      assert.deepEqual(stored, [])
    } finally {
      await receiver.close()
    }
  })

  it('a redaction that holds the next completion can still take the body of the one that ends', async () => {
    const agent = await service.addAgent()
    const receiver = await startReceiver()
    try {
      const answers = new Map<number, () => void>()
      receiver.respond = (response, { headers }) => {
        answers.set(Number(String(headers['webhook-id']).slice('msg_'.length)), () => response.end('ok'))
      }
      const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
      for (let count = 0; count < 5; count++) await agent.prompt(`secret ${count}`)
      await receiver.until(4)
      const { db } = service.app.app.foundation.database
      const rows = await db
        .selectFrom('deliveries')
        .select(['id', 'state', 'completion_id'])
        .where('notification_id', '=', id)
        .orderBy('id')
        .execute()
      const ending = rows.find(({ state }) => state === 'sending')
      const waiting = rows.find(({ state }) => state === 'pending')
      assert.ok(ending && waiting?.completion_id)
      const { completion_id } = waiting
      const outcome = () =>
        db.selectFrom('deliveries').select(['state', 'payload', 'answer']).where('id', '=', ending.id)
      await db.transaction().execute(async (db) => {
        await db.updateTable('completions').set({ flagged: 0 }).where('id', '=', completion_id).execute()
        answers.get(ending.id)?.()
        // Its end is stored, and the next one is left alone until the redaction is through.
        if (service.engine === 'postgres') await untilEnded()
        await db
          .updateTable('deliveries')
          .set({ payload: null, answer: null })
          .where('id', '=', ending.id)
          .execute()
      })
      await receiver.until(5)
      for (const answer of answers.values()) answer()
      await untilEnded()
      const expected = { state: 'delivered', payload: null, answer: null }
      assert.deepEqual(await outcome().executeTakeFirst(), expected)

      async function untilEnded(): Promise<void> {
        while ((await outcome().executeTakeFirst())?.state === 'sending') {
          await pause()
        }
      }
    } finally {
      await receiver.close()
    }
  })
})
