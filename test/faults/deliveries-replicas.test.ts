import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createApp } from '../../src/app/create-app.ts'
import { openFoundation } from '../../src/foundation.ts'
import { startApp } from '../support/app.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'

const PROMPTS = 24

// SQLite is for one process; that one's bound is tested with the endpoints.
it('two replicas on postgres: four at once between them, each delivery once', async () => {
  await using first = await startApp('postgres')
  await using receiver = await startReceiver()
  const foundation = await openFoundation(first.app.foundation.config)
  const second = await createApp(foundation)
  await second.listen()
  try {
    let now = 0
    let most = 0
    const held: (() => void)[] = []
    receiver.respond = (response) => {
      most = Math.max(most, ++now)
      held.push(() => {
        now--
        response.end('ok')
      })
    }
    await addNotification(first.agent, receiver.url, { events: ['prompt_submit'] })
    for (let count = 0; count < PROMPTS; count++) await first.agent.prompt(`prompt ${count}`)
    await receiver.until(4)
    // Both look several times while all that may be under way is.
    await Promise.all([looks(first.app.foundation), looks(foundation)])
    assert.equal(receiver.received.length, 4)
    for (let count = 5; count <= PROMPTS; count++) {
      held.shift()?.()
      await receiver.until(count)
    }
    for (const answer of held) answer()
    assert.equal(most, 4)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, PROMPTS)
  } finally {
    await second.close()
  }
})

/** Resolves after a replica has been told three times that there is something to send, and has looked. */
async function looks({ database }: Awaited<ReturnType<typeof openFoundation>>): Promise<void> {
  for (let count = 0; count < 3; count++) {
    database.wakeUps.send('deliveries')
    await new Promise((resolve) => setTimeout(resolve, 120))
  }
}
