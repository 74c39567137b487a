import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel } from '../support/platform-peer.ts'

const peer = { url: 'http://127.0.0.1:9' }
const token = 'verify-me-please'

for (const kind of ['messenger-one', 'messenger-two', 'instagram'] as const) {
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

    for (const [accept, type] of [
      ['*/*', 'text/plain'],
      ['application/json;q=0', 'text/plain'],
      ['application/json;q=0, */*', 'text/plain'],
      ['application/json;q=0.4, text/plain;q=0.5', 'text/plain'],
      ['application/json ; Q=0.4 , text/*', 'text/plain'],
      ['application/json;q=nonsense', 'text/plain'],
      ['application/jsonx', 'text/plain'],
      ['text/html', 'text/plain'],
      ['application/*', 'application/json'],
      ['application/json;q=0.5, text/plain;q=0.4', 'application/json'],
      ['application/json, text/plain, */*', 'application/json'],
      ['text/html, APPLICATION/JSON;charset=utf-8;q=0.1', 'application/json'],
    ] as const) {
      it(`200: ${type} to who accepts ${accept}`, async () => {
        const { url } = await addChannel(await service.addAgent(), kind, peer)
        const answer = await ask(url, valid, { accept })
        assert.equal(answer.headers.get('content-type')?.split(';')[0], type)
      })
    }

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

onBothEngines(
  'guessed verify tokens',
  (service) => {
    const path = (id: number) => `/channels/${id}/messenger-one`
    async function ask(id: number, verifyToken: string, address: string): Promise<number> {
      const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken })
      const headers = { 'x-forwarded-for': address }
      return (await fetch(`${service.app.baseUrl}${path(id)}?${query}`, { headers })).status
    }
    const guesses = (count: number, id: number, address: (n: number) => string) =>
      Promise.all(Array.from({ length: count }, (_, n) => ask(id, `guess-${n}`, address(n))))

    it('403: every token after 60 wrong ones for a channel in a minute, whoever sent them', async () => {
      const agent = await service.addAgent()
      const [guessed, other] = [
        await addChannel(agent, 'messenger-one', peer),
        await addChannel(agent, 'messenger-one', peer),
      ]
      await guesses(59, guessed.id, (n) => `203.0.113.${n}`)
      assert.equal(await ask(guessed.id, token, '198.51.100.1'), 200)
      assert.equal(await ask(guessed.id, 'guess', '198.51.100.1'), 403)
      assert.equal(await ask(guessed.id, token, '198.51.100.1'), 403)
      assert.equal(await ask(other.id, token, '198.51.100.1'), 200)
    })

    it('403: every token after 600 wrong ones from an address or a /64, whatever the channel', async () => {
      const agent = await service.addAgent()
      const channels = []
      for (let n = 0; n < 13; n++) channels.push(await addChannel(agent, 'messenger-one', peer))
      const [fresh, ...guessed] = channels
      assert.ok(fresh)
      for (const { id } of guessed) await guesses(50, id, (n) => `2001:db8:0:1::${n}`)
      assert.equal(await ask(fresh.id, token, '2001:db8:0:1:ffff::'), 403)
      assert.equal(await ask(fresh.id, token, '2001:db8:0:2::'), 200)
    })
  },
  { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' },
)
