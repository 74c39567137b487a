import assert from 'node:assert/strict'
import { it } from 'node:test'
import sharp from 'sharp'
import { FETCHES } from '../../../src/files/fetches/store.ts'
import { assertError, type TestAgent } from '../../support/app.ts'
import { addMailChannel, fileHeaders, type MailPart, mail, mailOfParts } from '../../support/mail-peer.ts'
import { onMail } from '../../support/on-mail.ts'
import { tryAgain } from '../../support/try-again.ts'
import { upload, uploadTo } from '../../support/upload.ts'

const ANNA = 'anna@example.org'
const LIMIT = 256 * 1024
const PDF = Buffer.from(`%PDF-1.7\n${'kingfisher\n'.repeat(20_000)}%%EOF`)
/** The beginning of the file in which Outlook packs others. */
const WINMAIL = Buffer.from('789f3e22345601069008000400', 'hex')
const TEXT: MailPart = [{ 'Content-Type': 'text/plain; charset=utf-8' }, 'See there']

const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
const picture = (width: number) =>
  sharp({ create: { width, height: 60, channels: 3, background: '#000', noise } })
    .withExif({ IFD0: { Make: 'Wachtel' } })
    .jpeg()
    .toBuffer()
const [PHOTO, LOGO, ICON] = await Promise.all([picture(300), picture(200), picture(8)])

/** A mail of HTML that shows pictures in its text. */
function inText(...pictures: Buffer[]): MailPart {
  const shown = pictures.map((_, at) => `<img src="cid:p${at}@x">`).join('')
  const parts = pictures.map(
    (bytes, at): MailPart => [{ 'Content-Type': 'image/jpeg', 'Content-ID': `<p${at}@x>` }, bytes],
  )
  return [
    { 'Content-Type': 'multipart/related' },
    [[{ 'Content-Type': 'text/html' }, `<p>See there</p>${shown}`], ...parts],
  ]
}

onMail(
  'files by e-mail',
  (service, mails) => {
    const { newAddress, sentTo, conversations, messagesIn, filesOf } = mails
    const database = () => service.app.app.foundation.database

    async function connected() {
      const agent = await service.addAgent()
      const address = newAddress()
      const channel = await addMailChannel(agent, mails.peer, address)
      return { agent, address, ...channel }
    }

    async function read(agent: TestAgent, conversation: { id: string } | undefined, id: string) {
      const url = `${agent.baseUrl}/conversations/${conversation?.id}/attachments/${id}`
      return Buffer.from(await (await fetch(url, { headers: agent.headers })).arrayBuffer())
    }

    /** Has the next tries begin at once until no file is being fetched. */
    async function triedAgain(agent: TestAgent, conversation: { id: string; waiting_since: string | null }) {
      const ended = filesOf(agent, conversation)
      let isEnded = false
      void ended.finally(() => {
        isEnded = true
      })
      await mails.until(async () => {
        await tryAgain(database(), 'file_fetches', FETCHES)
        return isEnded
      })
      return ended
    }

    it('are fetched from the account, a picture is made anew, and the prompt names them', async () => {
      const { agent, address, account } = await connected()
      account.put(
        mailOfParts(ANNA, address, [
          TEXT,
          [fileHeaders('image/jpeg', '../../a[b].jpg'), PHOTO],
          [fileHeaders('image/jpeg', 'invoice.jpg'), PDF],
          [fileHeaders('image/svg+xml', 'x.svg'), '<svg onload="alert(1)"/>'],
          [fileHeaders('image/png', 'broken.png'), PHOTO.subarray(0, 200)],
          [fileHeaders('application/zip', 'empty.zip'), ''],
          [fileHeaders('application/octet-stream', 'winmail.dat'), WINMAIL],
          [{ 'Content-Type': 'text/plain; name=notes.txt', 'Content-Disposition': 'inline' }, 'My notes'],
        ]),
      )
      await sentTo(address, 1)
      const [only] = await conversations(agent)
      const files = await filesOf(agent, only)
      assert.deepEqual(
        files.map(({ kind, name, type, state, reason }) => [kind, name, type, state, reason]),
        [
          ['image', 'ab.jpg', 'image/jpeg', 'stored', null],
          ['file', 'invoice.jpg', 'application/pdf', 'stored', null],
          ['file', 'x.svg', 'application/octet-stream', 'stored', null],
          ['image', 'broken.png', 'application/octet-stream', 'refused', 'unreadable_picture'],
          ['file', 'empty.zip', 'application/octet-stream', 'refused', 'empty'],
          ['file', 'winmail.dat', 'application/octet-stream', 'refused', 'outlook_only'],
          ['file', 'notes.txt', 'application/octet-stream', 'stored', null],
        ],
      )
      assert.ok((await read(agent, only, files[1]?.id ?? '')).equals(PDF))
      assert.ok(!(await read(agent, only, files[0]?.id ?? '')).includes('Wachtel'))
      assert.equal(String(await read(agent, only, files[6]?.id ?? '')), 'My notes')
      const [prompt] = await messagesIn(agent, only)
      assert.equal(
        prompt,
        'user: A question\n\nSee there\n\n[image: ab.jpg]\n[image: invoice.jpg]\n[image: x.svg]\n[image: broken.png]\n[file: empty.zip]\n[file: winmail.dat]\n[file: notes.txt]',
      )
      const asked = service.model.requests.at(-1)?.body.messages.at(-1)?.content as { type: string }[]
      assert.deepEqual(asked.at(-1)?.type, 'image_url')
    })

    it('are the same bytes in each encoding and at each place in a mail', async () => {
      const { agent, address, account } = await connected()
      const bytes = 'Grüße = 7\r\n\r\n--b0.1-- .\r\n'
      const quoted = [...Buffer.from(bytes)]
        .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join('')
      const file = fileHeaders('application/octet-stream', 'a.bin')
      account.put(
        mailOfParts(ANNA, address, [
          [{ 'Content-Type': 'multipart/mixed' }, [TEXT, [file, Buffer.from(bytes)]]],
          [{ ...file, 'Content-Transfer-Encoding': 'Quoted-Printable' }, quoted.replace(/.{72}/g, '$&=\r\n')],
          [{ ...file, 'Content-Transfer-Encoding': '8bit' }, bytes],
          [{ 'Content-Type': 'message/rfc822' }, mail('bob@example.org', ANNA, 'An older mail')],
        ]),
      )
      account.put(
        mail(ANNA, address, PDF.toString('base64').replace(/.{76}/g, '$&\r\n'), {
          ...fileHeaders('application/pdf', 'only.pdf'),
          'Content-Transfer-Encoding': 'base64',
        }),
      )
      await sentTo(address, 2)
      const both = await conversations(agent)
      const counts = await Promise.all(both.map(async (one) => (await filesOf(agent, one)).length))
      const [first, second] = counts[0] === 1 ? both.toReversed() : both
      const contents = async (conversation: typeof first) =>
        Promise.all((await filesOf(agent, conversation)).map(({ id }) => read(agent, conversation, id)))
      const all = await contents(first)
      assert.deepEqual(all.slice(0, 3).map(String), [bytes, bytes, bytes])
      assert.match(String(all[3]), /^From: bob@example\.org\r\n[\s\S]*An older mail/)
      const [only] = await contents(second)
      assert.ok(only?.equals(PDF))
    })

    it('in the text of a mail are kept once in a conversation, and its icons, seals and other forms not at all', async () => {
      const { agent, address, account } = await connected()
      const calendar = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'
      const first = { 'Message-ID': `<root-${address}>` }
      account.put(
        mailOfParts(
          ANNA,
          address,
          [
            [
              { 'Content-Type': 'multipart/alternative' },
              [TEXT, [{ 'Content-Type': 'text/x-amp-html' }, '<html amp>'], inText(LOGO, ICON, LOGO)],
            ],
            [{ 'Content-Type': 'text/calendar' }, calendar],
            [fileHeaders('application/ics', 'meeting.ics'), calendar],
            [fileHeaders('application/pgp-signature', 'signature.asc'), 'x'],
            [fileHeaders('application/ms-tnef', 'winmail.dat'), 'x'],
          ],
          first,
        ),
      )
      await sentTo(address, 1)
      account.put(mailOfParts(ANNA, address, [inText(LOGO, PHOTO)], { References: first['Message-ID'] }))
      await sentTo(address, 2)
      const [only, ...more] = await conversations(agent)
      assert.deepEqual(more, [])
      assert.deepEqual(
        (await filesOf(agent, only)).map(({ kind, name }) => name ?? kind),
        ['image', 'meeting.ics', 'winmail.dat', 'image'],
      )
      const said = await messagesIn(agent, only)
      assert.match(said[0] ?? '', /See there\n\n\[file: meeting\.ics\]\n\[file: winmail\.dat\]$/)
      assert.match(said[2] ?? '', /See there$/)
    })

    it('that are too large are refused, and more than 20 are only counted', async () => {
      const { agent, address, account } = await connected()
      const many = Array.from(
        { length: 22 },
        (_, at): MailPart => [
          fileHeaders('text/csv', `${at}.csv`),
          at === 0 ? Buffer.alloc(LIMIT + 1) : 'a,b',
        ],
      )
      mails.peer.imap.mostReaders = mails.peer.imap.readers
      const before = mails.peer.imap.readers
      account.put(mailOfParts(ANNA, address, [TEXT, ...many]))
      await sentTo(address, 1)
      const [only] = await conversations(agent)
      const files = await filesOf(agent, only)
      assert.deepEqual([files[0]?.state, files[0]?.reason], ['refused', 'too_large'])
      assert.deepEqual(
        files.slice(1).map(({ name, state }) => [name, state]),
        Array.from({ length: 19 }, (_, at) => [`${at + 1}.csv`, 'stored']),
      )
      assert.match((await messagesIn(agent, only))[0] ?? '', /\[file: 19\.csv\]\n\[2 more files\]$/)
      assert.ok(mails.peer.imap.mostReaders <= before + 1, 'one connection fetches all')
    })

    it('come at the next try when the server hangs up, and say so when the mail is gone', async () => {
      const { agent, address, account } = await connected()
      const raw = mailOfParts(ANNA, address, [TEXT, [fileHeaders('application/pdf', 'a.pdf'), PDF]])
      mails.peer.imap.hangUps = 1
      account.put(raw)
      await mails.until(async () => (await conversations(agent)).length === 1)
      const [first] = await conversations(agent)
      assert.ok(first)
      const [stored] = await triedAgain(agent, first)
      assert.deepEqual([stored?.state, mails.peer.imap.hangUps], ['stored', 0])

      const other = raw.replace(/^Message-ID: .*$/m, `Message-ID: <gone-${address}>`)
      mails.peer.imap.hangUps = 1
      account.put(other)
      await mails.until(async () => mails.peer.imap.hangUps === 0)
      account.folders.INBOX.mails.pop()
      const [second] = await conversations(agent)
      assert.ok(second && second.id !== first.id)
      const [gone] = await triedAgain(agent, second)
      assert.deepEqual([gone?.state, gone?.reason], ['failed', 'gone'])
      // It is back under another number, in an account whose mails are numbered anew.
      account.folders.INBOX.mails.push({ uid: 0, at: new Date(), raw: Buffer.from(other) })
      account.renumber()
      const again = await agent.post(`/conversations/${second.id}/attachments/${gone?.id}/fetch`)
      assert.equal(again.status, 200, again.text)
      const [found] = await filesOf(agent, second)
      assert.equal(found?.state, 'stored')
      assert.ok((await read(agent, second, found?.id ?? '')).equals(PDF))
    })

    /** Begins a conversation to which files can be uploaded. */
    async function answered() {
      const all = await connected()
      all.account.put(mail(ANNA, all.address, 'Can I have the invoice?'))
      await sentTo(all.address, 1)
      const [only] = await conversations(all.agent)
      assert.ok(only)
      const uploaded = async (files: Record<string, string | Uint8Array<ArrayBuffer>>) => {
        const ids: string[] = []
        for (const [name, content] of Object.entries(files))
          ids.push((await upload(all.agent, only.id, { [name]: content })).body.data.id)
        return ids
      }
      const path = `/conversations/${only.id}/messages`
      const say = async (files: Parameters<typeof uploaded>[0], content?: string) =>
        all.agent.post(path, { attachments: await uploaded(files), ...(content ? { content } : {}) })
      return { ...all, conversation: only, uploaded, say }
    }

    it('go out in the one mail with the text, or alone, also when the server takes it later', async () => {
      const { agent, address, conversation, say } = await answered()
      mails.peer.failNext(451)
      const pdf = Uint8Array.from(PDF)
      const { status, text } = await say({ 'Größe 7.pdf': pdf, 'a.txt': 'Plain' }, 'Here it is')
      assert.equal(status, 200, text)
      const [, whole] = await sentTo(address, 2)
      assert.equal(whole?.mail.text?.trim(), 'Here it is')
      assert.deepEqual(
        whole?.mail.attachments.map(({ filename, contentType, contentDisposition }) => [
          ...[filename, contentType, contentDisposition],
        ]),
        [
          ['Größe 7.pdf', 'application/pdf', 'attachment'],
          ['a.txt', 'text/plain', 'attachment'],
        ],
      )
      assert.ok(whole?.mail.attachments[0]?.content.equals(PDF))
      const [refused] = mails.peer.refused.slice(-1)
      assert.equal(refused?.messageId, whole?.mail.messageId)

      await say({ 'only.txt': 'Plain' })
      const [, , alone] = await sentTo(address, 3)
      assert.equal(alone?.mail.text?.trim() ?? '', '')
      assert.equal(String(alone?.mail.attachments[0]?.content), 'Plain')
      await mails.until(
        async () => (await mails.deliveries(agent, conversation)).join() === ',sent,sent,sent',
      )
    })

    it('whose mail may have been taken do not go out again, and those erased meanwhile not at all', async () => {
      const { agent, address, conversation, say } = await answered()
      mails.peer.failNext('hang up')
      await say({ 'a.txt': 'Plain' }, 'Here it is')
      await mails.until(
        async () => (await mails.deliveries(agent, conversation)).at(-1) === 'unknown unreachable',
      )

      const before = mails.peer.refused.length
      // A slow machine tries again before everything is erased.
      mails.peer.failNext(451, 451, 451)
      await say({ 'secret.txt': 'Secret' })
      await mails.until(async () => mails.peer.refused.length > before)
      assert.equal((await agent.post(`/users/${encodeURIComponent(ANNA)}/scrub`)).status, 200)
      await say({ 'last.txt': 'The last one' })
      const sent = await sentTo(address, 2)
      await mails.until(async () => (await mails.deliveries(agent, conversation)).at(-1) === 'sent')
      assert.doesNotMatch(sent.map(({ raw }) => String(raw)).join(), /secret\.txt|U2VjcmV0/)
    })

    it('400: more than a mail server takes, before anything is sent', async () => {
      const { agent, address, conversation, uploaded } = await answered()
      const attachments = await uploaded({ 'a.bin': 'a', 'b.bin': 'b' })
      for (const id of attachments)
        await database()
          .db.updateTable('files')
          .set({ attachment: JSON.stringify({ id, kind: 'file', name: 'a.bin', bytes: 9_100_000 }) })
          .where('id', '=', id)
          .execute()
      const refused = await agent.post(`/conversations/${conversation.id}/messages`, { attachments })
      assertError(refused, 400, 'invalid_request')
      assert.match(
        refused.body.error.message,
        /E-mail takes files of up to 18 MB together, and these have 18\.2 MB/,
      )
      assert.equal((await sentTo(address, 1)).length, 1)
    })

    it('go out with a mail that a person writes first, in the conversation that the address has', async () => {
      const { agent, address, id } = await connected()
      const begin = (message: object) => agent.post('/conversations', { channel_id: id, to: ANNA, message })
      const begun = await begin({ content: 'Your order' })
      assert.equal(begun.status, 201, begun.text)
      const { body } = await upload(agent, begun.body.data.id, { 'a.pdf': Uint8Array.from(PDF) })
      const again = await begin({ content: 'And its invoice', attachments: [body.data.id] })
      assert.equal(again.status, 200, again.text)
      const [, second] = await sentTo(address, 2)
      assert.equal(second?.mail.subject, 'Your order')
      assert.ok(second?.mail.attachments[0]?.content.equals(PDF))
      assertError(await begin({ attachments: [body.data.id] }), 400, 'invalid_request')
    })

    it('go out with a first mail to somebody new, and with no other', async () => {
      const { agent, address, id } = await connected()
      const path = `/channels/${id}/attachments`
      const { status, body } = await uploadTo(agent, path, { 'a.pdf': Uint8Array.from(PDF) })
      assert.equal(status, 201)
      const message = { content: 'Your invoice', attachments: [body.data.id] }
      const other = await service.addAgent()
      const theirs = await addMailChannel(other, mails.peer, newAddress())
      const write = (agent: TestAgent, channel_id: number) =>
        agent.post('/conversations', { channel_id, to: ANNA, message })
      assertError(await write(other, theirs.id), 400, 'invalid_request')
      const begun = await write(agent, id)
      assert.equal(begun.status, 201, begun.text)
      const [sent] = await sentTo(address, 1)
      assert.ok(sent?.mail.attachments[0]?.content.equals(PDF))
      assert.ok((await read(agent, begun.body.data, body.data.id)).equals(PDF))
      assertError(await write(agent, id), 400, 'invalid_request')
      assert.equal((await sentTo(address, 1)).length, 1)
    })

    it('404 and 400: for the channel of another agent, or without a file', async () => {
      const { agent, id } = await connected()
      const path = `/channels/${id}/attachments`
      const other = await service.addAgent()
      assert.equal((await uploadTo(other, path, { 'a.txt': 'x' })).body.error.code, 'channel_not_found')
      const { status, body } = await uploadTo(agent, path, {})
      assert.deepEqual([status, body.error.code], [400, 'invalid_request'])
    })

    it('of prompts and visitors, which have no conversation yet either, are not to be sent by people', async () => {
      const { agent, id } = await connected()
      const { db } = database()
      for (const [of, value] of [
        ['visitor', 'hash'],
        ['form', '{"type":"file"}'],
      ] as const) {
        const { body } = await uploadTo(agent, `/channels/${id}/attachments`, { 'a.txt': of })
        await db
          .updateTable('files')
          .set({ [of]: value })
          .where('id', '=', body.data.id)
          .execute()
        const message = { attachments: [body.data.id] }
        const refused = await agent.post('/conversations', { channel_id: id, to: ANNA, message })
        assertError(refused, 400, 'invalid_request')
        assert.equal(refused.body.error.param, 'attachments')
      }
    })

    it('are forgotten with the person who wrote', async () => {
      const { agent, address, account, id } = await connected()
      account.put(mailOfParts(ANNA, address, [TEXT, [fileHeaders('image/jpeg', 'me.jpg'), PHOTO]]))
      await sentTo(address, 1)
      await mails.settled(id)
      const [only] = await conversations(agent)
      const { status, text } = await agent.post(`/users/${encodeURIComponent(ANNA)}/scrub`)
      assert.equal(status, 200, text)
      const [file] = await filesOf(agent, only)
      assert.deepEqual([file?.state, file?.name], ['deleted', null])
      assert.doesNotMatch((await messagesIn(agent, only)).join('\n'), /me\.jpg/)
    })
  },
  { PARLEY_FILE_LIMIT: String(LIMIT) },
)
