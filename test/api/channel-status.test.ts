import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel } from '../support/platform-peer.ts'

const peer = { url: 'http://127.0.0.1:9' }

for (const kind of ['messenger-three', 'helpdesk'] as const) {
  onBothEngines(`GET /channels/{id}/${kind}`, (service) => {
    it('200: without credentials, active or not', async () => {
      const agent = await service.addAgent()
      const { id, url } = await addChannel(agent, kind, peer)
      const answer = await fetch(url)
      assert.equal(answer.status, 200)
      assert.deepEqual(await answer.json(), { status: 'ok', channel: kind, active: true })
      await agent.patch(`/channels/${id}`, { active: false })
      assert.deepEqual(await (await fetch(url)).json(), { status: 'inactive', channel: kind, active: false })
    })

    it('404: unknown or of another kind', async () => {
      const agent = await service.addAgent()
      const other = await addChannel(agent, 'messenger-one', peer)
      for (const id of ['999999', 'x', '0', '%00', '9'.repeat(10_000), String(other.id)]) {
        const answer = await fetch(`${agent.baseUrl}/channels/${id}/${kind}`)
        assert.equal(answer.status, 404, id)
        assert.match(await answer.text(), /"code":"channel_not_found"/)
      }
      // What cannot be decoded reaches no route.
      assert.equal((await fetch(`${agent.baseUrl}/channels/%ff/${kind}`)).status, 404)
    })
  })
}
