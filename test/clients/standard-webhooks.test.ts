import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { exampleIn } from '../support/guide.ts'
import type { Service } from '../support/on-both-engines.ts'
import { onEndpoint } from '../support/on-endpoint.ts'
import { addNotification, type Received } from '../support/receiver.ts'

type Verify = (secret: string, body: string, headers: Received['headers']) => unknown

/** The function of the guide, as it is printed, with the class of a library. */
function printedVerify(library: typeof StandardWebhook | typeof SvixWebhook): Verify {
  const code = exampleIn('docs/webhooks.md', 'js', 'standardwebhooks')
    .replace(/^import .*$/m, '')
    .replace('export ', '')
  return new Function('Webhook', `${code}; return verify`)(library)
}

const libraries = { standardwebhooks: printedVerify(StandardWebhook), svix: printedVerify(SvixWebhook) }

onEndpoint('libraries of Standard Webhooks', (service, endpoint) => {
  for (const [name, verify] of Object.entries(libraries))
    it(`${name} verifies before, during and after a rotation, and refuses what is not ours`, async () => {
      const agent = await service.addAgent()
      const { id, secret: first } = await addNotification(agent, endpoint.receiver.url, {
        events: ['prompt_submit'],
      })
      let count = 0
      const sent = async () => {
        await agent.prompt('hello')
        return (await endpoint.receiver.until(++count))[count - 1] as Received
      }
      const before = await sent()
      assert.deepEqual(verify(first, before.raw, before.headers), before.payload)
      assert.throws(() => verify(first, before.raw.replace('hello', 'hullo'), before.headers))
      assert.throws(() => verify(`whsec_${btoa('another')}`, before.raw, before.headers))

      const rotated = await agent.post(`/notifications/${id}/rotate-secret`, { grace_seconds: 60 })
      const { secret: second } = rotated.body.data
      const during = await sent()
      for (const secret of [first, second]) verify(secret, during.raw, during.headers)

      // The libraries know the true time, so the grace ends by the stored time and not by a clock that runs ahead.
      await endGrace(service, id)
      const after = await sent()
      verify(second, after.raw, after.headers)
      assert.throws(() => verify(first, after.raw, after.headers), 'the old secret signs no longer')

      const own = 'a secret of my own'
      await agent.patch(`/notifications/${id}`, { secret: own })
      const owned = await sent()
      verify(Buffer.from(own).toString('base64'), owned.raw, owned.headers)
    })
})

async function endGrace(service: Service, id: number): Promise<void> {
  const { db } = service.app.app.foundation.database
  const past = '2020-01-01T00:00:00.000Z'
  await db.updateTable('notifications').set({ previous_secret_until: past }).where('id', '=', id).execute()
}
