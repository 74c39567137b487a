import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, it } from 'node:test'
import { examplesIn, runCurl } from '../support/guide.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { type PlatformPeer, startPlatformPeer } from '../support/platform-peer.ts'

const guides = ['README.md', ...globSync('docs/*.md')]

onBothEngines('curl commands in the guides', (service) => {
  let platform: PlatformPeer
  before(async () => {
    platform = await startPlatformPeer()
  })
  after(() => platform.close())

  it('each does what it says', async () => {
    const commands = guides.flatMap((guide) =>
      examplesIn(guide, 'sh')
        .filter((example) => /^curl /m.test(example))
        .map((command) => [guide, command] as const),
    )
    assert.ok(commands.length >= 6, String(commands.length))
    for (const [guide, command] of commands) {
      const agent = await service.addAgent()
      // The first evaluator of a guide has the id 1.
      const evaluator = { name: 'First', kind: 'keywords', settings: { words: ['password'] } }
      const { data } = (await agent.post('/evaluators', evaluator)).body
      const answer = await runCurl(agent, command, { '"evaluator_id": 1': `"evaluator_id": ${data.id}` })
      assert.ok([200, 201].includes(answer.status), `${guide}: ${command} ${answer.text}`)
    }
  })

  for (const kind of ['messenger-one', 'messenger-two', 'messenger-three', 'helpdesk']) {
    it(`${kind}: the answer has the address to paste, and the test call tells that the token works`, async () => {
      const agent = await service.addAgent()
      const [command = ''] = examplesIn(`docs/channels/${kind}.md`, 'sh')
      // The peer stands for the platform's own address, and for Chatwoot's where the guide names one.
      const { body } = await runCurl(agent, command, {
        'https://chat.example.com': platform.url,
        ...(kind === 'helpdesk' ? {} : { '"settings": {': `"settings": { "api_base": "${platform.url}",` }),
      })
      assert.equal(body.data.webhook_url, `${agent.baseUrl}/channels/${body.data.id}/${kind}`)
      const tested = await agent.post(`/channels/${body.data.id}/test`)
      assert.deepEqual(tested.body.data, { ok: true, account: 'Test account', failure: null })
      const [, token] = /"verify_token": "([^"]+)"/.exec(command) ?? []
      if (token === undefined) return
      const query = new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.verify_token': token,
        'hub.challenge': '77',
      })
      assert.equal(await (await fetch(`${body.data.webhook_url}?${query}`)).text(), '77')
    })
  }
})
