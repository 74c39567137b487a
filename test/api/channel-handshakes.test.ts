import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel } from '../support/platform-peer.ts'

const peer = { url: 'http://127.0.0.1:9' }
const token = 'verify-me-please'

for (const kind of ['messenger-one', 'messenger-two'] as const) {
  onBothEngines(`GET /channels/{id}/${kind}`, (service) => {
    const ask = (url: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${url}?${new URLSearchParams(query)}`, { headers })
    const valid = { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444' }

    it('200: echoes the challenge bare', async () => {
      const { url } = await addChannel(await service.addAgent(), kind, peer)
      const answer = await ask(url, valid)
      assert.equal(answer.status, 200)
      assert.equal(await answer.text(), '1158201444')
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    })

    it('200: as a JSON string to who asks for JSON', async () => {
      const { url } = await addChannel(await service.addAgent(), kind, peer)
      const challenge = 'a "b" é'
      const answer = await ask(url, { ...valid, 'hub.challenge': challenge }, { accept: 'application/json' })
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      assert.equal(await answer.json(), challenge)
    })

    it('200: empty without a challenge, and markup stays text', async () => {
      const { url } = await addChannel(await service.addAgent(), kind, peer)
      const { 'hub.challenge': _, ...none } = valid
      const answer = await ask(url, none)
      assert.deepEqual([answer.status, await answer.text()], [200, ''])
      const markup = await ask(url, { ...valid, 'hub.challenge': '<script>' })
      assert.match(markup.headers.get('content-type') ?? '', /^text\/plain/)
      assert.equal(markup.headers.get('x-content-type-options'), 'nosniff')
    })

    it('400: wrong or missing mode, missing or repeated token', async () => {
      const { url } = await addChannel(await service.addAgent(), kind, peer)
      for (const query of [
        '',
        `hub.mode=unsubscribe&hub.verify_token=${token}`,
        `hub.verify_token=${token}`,
        'hub.mode=subscribe',
        'hub.mode=subscribe&hub.verify_token=',
        `hub.mode=subscribe&hub.verify_token=${token}&hub.verify_token=${token}`,
        `hub.mode=subscribe&hub.mode=subscribe&hub.verify_token=${token}`,
      ]) {
        assert.equal((await fetch(`${url}?${query}`)).status, 400, query)
      }
      // The query is checked before the channel is looked for.
      assert.equal((await fetch(`${url.replace(/\/\d+\//, '/999999/')}?hub.mode=x`)).status, 400)
    })

    it('403: another token, also when the channel has none', async () => {
      const agent = await service.addAgent()
      const { url } = await addChannel(agent, kind, peer)
      const bare = await addChannel(agent, kind, peer, { verify_token: undefined })
      for (const wrong of ['x', `${token}x`, token.slice(1), 'undefined', 'null']) {
        assert.equal((await ask(url, { ...valid, 'hub.verify_token': wrong })).status, 403)
        assert.equal((await ask(bare.url, { ...valid, 'hub.verify_token': wrong })).status, 403)
      }
    })

    it('404: unknown channel or one of another kind', async () => {
      const agent = await service.addAgent()
      const other = await addChannel(agent, 'messenger-three', peer)
      for (const id of ['999999', 'x', '0', '%00', '1e3', String(other.id)]) {
        assert.equal((await ask(`${agent.baseUrl}/channels/${id}/${kind}`, valid)).status, 404, id)
      }
    })

    it('an inactive channel still answers: it is how it is set up', async () => {
      const agent = await service.addAgent()
      const { id, url } = await addChannel(agent, kind, peer)
      await agent.patch(`/channels/${id}`, { active: false })
      assert.equal((await ask(url, valid)).status, 200)
    })
  })
}
