import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { examplesIn, runCurl } from '../support/guide.ts'
import { startMailPeer } from '../support/mail-peer.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { type PlatformPeer, startPlatformPeer } from '../support/platform-peer.ts'
import { TELEGRAM_NAME } from '../support/telegram-peer.ts'

onBothEngines('the guides to channels', (service) => {
  let platform: PlatformPeer
  before(async () => {
    platform = await startPlatformPeer()
  })
  after(() => platform.close())

  for (const kind of [
    'messenger-one',
    'messenger-two',
    'messenger-three',
    'helpdesk',
    'telegram',
    'instagram',
    'sms',
  ]) {
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
      assert.deepEqual(tested.body.data, {
        ok: true,
        account: kind === 'telegram' ? `@${TELEGRAM_NAME}` : 'Test account',
        failure: null,
      })
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

  it('email: the test call signs in to both servers', async () => {
    await using peer = await startMailPeer()
    const agent = await service.addAgent()
    const [command = ''] = examplesIn('docs/channels/email.md', 'sh')
    const { imap, smtp } = peer.settings('help@example.com')
    const { body } = await runCurl(agent, command, {
      '"imap": { "host": "mail.example.com", "user": "help@example.com", "password": "app-password" }': `"imap": ${JSON.stringify(imap)}`,
      '"smtp": { "host": "mail.example.com", "user": "help@example.com", "password": "app-password" }': `"smtp": ${JSON.stringify(smtp)}`,
    })
    const { data } = (await agent.post(`/channels/${body.data.id}/test`)).body
    assert.deepEqual(data, { ok: true, account: 'help@example.com', failure: null })
    await agent.patch(`/channels/${body.data.id}`, { active: false })
  })
})
