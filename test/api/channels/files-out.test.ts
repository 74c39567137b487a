import assert from 'node:assert/strict'
import { it } from 'node:test'
import sharp from 'sharp'
import { assertError, type TestAgent } from '../../support/app.ts'
import { type Chats, kinds, onChannels } from '../../support/on-channels.ts'
import {
  addChannel,
  type Kind,
  messageOf,
  PERSON,
  rawOf,
  sign,
  type TestChannel,
} from '../../support/platform-peer.ts'
import { upload } from '../../support/upload.ts'

const PDF = `%PDF-1.7\n${'to be paid '.repeat(100)}\n%%EOF`
const PICTURE = Uint8Array.from(
  await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c04020' } })
    .png()
    .toBuffer(),
)
const PUBLIC = 'https://parley.example'

/** The way in which each platform shows a picture and a PDF file; null: as a text with a link. */
const ways: Record<Kind, { picture: string | null; pdf: string | null; byLink: boolean }> = {
  'messenger-one': { picture: 'image', pdf: 'document', byLink: false },
  'messenger-two': { picture: 'image', pdf: 'file', byLink: false },
  'messenger-three': { picture: 'image', pdf: null, byLink: true },
  helpdesk: { picture: 'file', pdf: 'file', byLink: false },
  telegram: { picture: 'Photo', pdf: 'Document', byLink: false },
  instagram: { picture: 'image', pdf: null, byLink: true },
  sms: { picture: 'picture', pdf: null, byLink: true },
}

onChannels(
  'files that people send to channels',
  (service, chats: Chats) => {
    const { externalId, settled, rowsOf } = chats

    async function begin(kind: Kind) {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      const raw = rawOf(kind, messageOf(kind, PERSON[kind], crypto.randomUUID(), 'Can I have the invoice?'))
      // Twilio signs the public address.
      const url = `${PUBLIC}/api/v1/channels/${channel.id}/${kind}`
      const { status } = await channel.post(raw, sign(kind, raw, channel.secret, Date.now(), url))
      assert.equal(status, 200)
      await chats.peer.untilSent(1)
      await settled(channel)
      chats.peer.sent.length = 0
      return { agent, channel, conversation: externalId(channel) }
    }

    async function send(
      agent: TestAgent,
      conversation: string,
      files: Record<string, string | Uint8Array<ArrayBuffer>>,
      fields: Record<string, unknown> = {},
    ) {
      const attachments: string[] = []
      for (const [name, content] of Object.entries(files))
        attachments.push((await upload(agent, conversation, { [name]: content })).body.data.id)
      return agent.post(`/conversations/${conversation}/messages`, { attachments, ...fields })
    }

    /** Reads a link as anybody could. */
    const follow = (link: string | null | undefined) => {
      const { pathname, search } = new URL(link ?? '')
      return fetch(`${service.app.url}${pathname}${search}`)
    }

    async function delivery(agent: TestAgent, channel: TestChannel) {
      await settled(channel)
      const rows = await rowsOf(agent, channel)
      const { delivery, delivery_reason } = rows.at(-1)
      return [delivery, delivery_reason]
    }

    for (const kind of kinds) {
      const { picture, pdf, byLink } = ways[kind]

      it(`${kind}: a picture goes out the platform's way, after the text`, async () => {
        const { agent, channel, conversation } = await begin(kind)
        const { status } = await send(agent, conversation, { 'a.png': PICTURE }, { content: 'Look:' })
        assert.equal(status, 200)
        const [text] = await chats.peer.untilSent(1)
        assert.equal(text?.text, 'Look:')
        const [file] = await chats.peer.untilSentFiles(1)
        assert.equal(file?.as, picture)
        if (byLink) {
          assert.ok(file?.link?.startsWith(`${PUBLIC}/api/v1/files/`))
          const response = await follow(file?.link)
          assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png'])
        } else {
          assert.match(file?.form ?? '', /filename="a\.png"\r\ncontent-type: image\/png\r\n\r\n/)
          if (kind !== 'messenger-one' && kind !== 'messenger-two') assert.equal(file?.thread, PERSON[kind])
        }
        assert.deepEqual(await delivery(agent, channel), ['sent', null])
        assert.equal(chats.peer.sent.length, 1)
        assert.equal(chats.peer.sentFiles.length, 1)
      })

      it(`${kind}: a file goes out whole, alone`, async () => {
        const { agent, channel, conversation } = await begin(kind)
        assert.equal((await send(agent, conversation, { 'invoice 7.pdf': PDF })).status, 200)
        if (pdf !== null) {
          const [file] = await chats.peer.untilSentFiles(1)
          assert.equal(file?.as, pdf)
          assert.ok(file?.form?.includes(PDF))
          assert.match(file?.form ?? '', /filename="invoice 7\.pdf"/)
          assert.equal(chats.peer.sent.length, 0)
        } else {
          const [text] = await chats.peer.untilSent(1)
          const [name, link] = text?.text.split('\n') ?? []
          assert.equal(name, 'invoice 7.pdf')
          assert.equal(await (await follow(link)).text(), PDF)
          assert.equal(chats.peer.sentFiles.length, 0)
        }
        assert.deepEqual(await delivery(agent, channel), ['sent', null])
      })
    }

    it('a file goes out with what a person writes first, in the conversation that its reader has', async () => {
      for (const kind of ['telegram', 'messenger-two', 'helpdesk'] as const) {
        const { agent, channel, conversation } = await begin(kind)
        const attachments = [(await upload(agent, conversation, { 'a.pdf': PDF })).body.data.id]
        const first = { channel_id: channel.id, to: PERSON[kind], message: { content: 'Look:', attachments } }
        const { status, text } = await agent.post('/conversations', first)
        assert.equal(status, 200, `${kind}: ${text}`)
        const [file] = await chats.peer.untilSentFiles(1)
        assert.ok(file?.form?.includes(PDF), kind)
        assert.deepEqual(await delivery(agent, channel), ['sent', null], kind)
        const again = await agent.post('/conversations', first)
        assertError(again, 400, 'invalid_request')
        chats.peer.sentFiles.length = 0
        chats.peer.sent.length = 0
      }
    })

    it('a link works for ten minutes, for one file, as it was signed, and until the file is erased', async () => {
      const { agent, channel, conversation } = await begin('messenger-three')
      await send(agent, conversation, { 'a.pdf': PDF, 'b.pdf': PDF })
      await chats.peer.untilSent(2)
      await settled(channel)
      const [one, other] = chats.peer.sent.flatMap(({ text, more }) =>
        [text, ...more].map((text) => text.split('\n')[1] ?? ''),
      )
      const first = new URL(one ?? '')
      const second = new URL(other ?? '')
      assert.equal((await follow(first.href)).status, 200)
      const refused = async (change: (url: URL) => void) => {
        const url = new URL(first)
        change(url)
        assert.equal((await follow(url.href)).status, 404, url.href)
      }
      await refused((url) => url.searchParams.set('expires', String(Date.now() + 3_600_000)))
      await refused((url) => url.searchParams.set('expires', 'NaN'))
      await refused((url) => url.searchParams.set('signature', 'x'))
      await refused((url) => {
        url.pathname = second.pathname
      })
      await refused((url) => {
        url.pathname = url.pathname.replace(/files\/\d+/, 'files/1')
      })
      assert.equal((await fetch(`${service.app.baseUrl}/files/1/x`)).status, 400)
      service.clock = () => Date.now() + 9 * 60_000
      assert.equal((await follow(first.href)).status, 200)
      service.clock = () => Date.now() + 11 * 60_000
      assert.equal((await follow(first.href)).status, 404)
      service.clock = Date.now
      assert.equal((await follow(first.href)).status, 200)
      assert.equal((await agent.post(`/users/${PERSON['messenger-three']}/scrub`)).status, 200)
      assert.equal((await follow(first.href)).status, 404)
    })

    it('an upload that fails is repeated, and the message goes out once', async () => {
      const { agent, channel, conversation } = await begin('messenger-one')
      chats.peer.failNextUpload((response) => response.destroy())
      await send(agent, conversation, { 'a.pdf': PDF })
      await chats.peer.untilSentFiles(1)
      assert.deepEqual(await delivery(agent, channel), ['sent', null])
      assert.equal(chats.peer.sentFiles.length, 1)
    })

    it('a file that the platform refuses is not delivered, and is sent again on request', async () => {
      const { agent, channel, conversation } = await begin('telegram')
      chats.peer.failNextUpload((response) => {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end('{"ok":false,"error_code":400,"description":"Bad Request"}')
      })
      const { body } = await send(agent, conversation, { 'a.pdf': PDF })
      assert.deepEqual(await delivery(agent, channel), ['failed', 'rejected'])
      await agent.post(`/conversations/${conversation}/messages/${body.data.id}/resend`)
      await chats.peer.untilSentFiles(1)
      assert.deepEqual(await delivery(agent, channel), ['sent', null])
    })

    it('what waits to be sent when it is erased is not sent', async () => {
      const { agent, channel, conversation } = await begin('messenger-one')
      chats.peer.failNextUpload((response) => response.writeHead(503, { 'retry-after': '60' }).end())
      await send(agent, conversation, { 'a.pdf': PDF })
      await chats.peer.untilFailed()
      assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
      chats.pass(61_000)
      assert.deepEqual(await delivery(agent, channel), [null, null])
      assert.equal(chats.peer.sentFiles.length, 0)
    })

    it('400: what the platform does not take, before anything is sent', async () => {
      const { agent, channel, conversation } = await begin('messenger-two')
      const large = new Uint8Array(25_000_001)
      const refused = await send(agent, conversation, { 'large.bin': large }, { content: 'Here:' })
      assertError(refused, 400, 'invalid_request')
      assert.match(
        refused.body.error.message,
        /Facebook Messenger takes files of up to 25 MB, and "large\.bin"/,
      )
      await settled(channel)
      assert.equal(chats.peer.sent.length, 0)
    })
  },
  { PARLEY_PUBLIC_URL: PUBLIC },
)

onChannels('files to channels without a public address', (service, chats: Chats) => {
  it('400: a platform that reads files from links', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    await channel.says('Hello')
    await chats.peer.untilSent(1)
    const conversation = chats.externalId(channel)
    const { body } = await upload(agent, conversation, { 'a.pdf': PDF })
    const refused = await agent.post(`/conversations/${conversation}/messages`, {
      attachments: [body.data.id],
    })
    assertError(refused, 400, 'invalid_request')
    assert.match(refused.body.error.message, /PARLEY_PUBLIC_URL/)
  })
})
