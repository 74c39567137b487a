import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sendLetter } from '../../../../src/platforms/email/send-letter.ts'
import { emailSettings } from '../../../../src/platforms/email/settings.ts'
import { PlatformError } from '../../../../src/platforms/platform.ts'
import { startMailPeer } from '../../../support/mail-peer.ts'

const ME = 'help@shop.example'

it('a mail that stops within a file was not sent, and the next one goes out whole', async () => {
  await using peer = await startMailPeer()
  const settings = emailSettings.parse({ ...peer.settings(ME), thread_key: 'k'.repeat(32) })
  const http = { addressOf: async () => ({ address: '127.0.0.1', isPublic: false }) } as never
  const send = (content: () => AsyncIterable<Uint8Array>) =>
    sendLetter(http, settings, {
      ...{
        thread: 'anna@example.org',
        texts: ['Here it is'],
        replyToken: null,
        retryKey: 'one',
        byPerson: true,
      },
      webhookUrl: '',
      files: [
        {
          ...{ kind: 'file', name: 'a.bin', type: 'application/pdf', bytes: 3, content, link: '' },
          ...{ as: null, uploaded: null },
        },
      ],
    })
  await assert.rejects(
    send(async function* () {
      yield new Uint8Array(200_000)
      throw new Error('bytes of a file are gone')
    }),
    (error) => error instanceof PlatformError && error.outcome === 'not_sent',
  )
  assert.equal(peer.sent.length, 0)
  const id = await send(async function* () {
    yield Uint8Array.of(1, 2, 3)
  })
  const [sent] = await peer.untilSent(1)
  assert.equal(sent?.mail.messageId, id)
  assert.deepEqual([...(sent?.mail.attachments[0]?.content ?? [])], [1, 2, 3])
})
