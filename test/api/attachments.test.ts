import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { it } from 'node:test'
import { crc32 } from 'node:zlib'
import JSZip from 'jszip'
import sharp, { type Sharp } from 'sharp'
import { keepsFiles } from '../../src/files/keep-file.ts'
import { removeFilesOf, removeGivenUp } from '../../src/files/remove-files.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { placesInDatabase } from '../support/places-in-database.ts'
import { applyRetentionAt } from '../support/retention.ts'
import { sendFile, upload } from '../support/upload.ts'
import { addWidget } from '../support/widget-visitors.ts'

const PDF = `%PDF-1.7\n${'to be paid '.repeat(30_000)}\n%%EOF`
const KEPT = { state: 'stored', width: null, height: null, duration: null, transcript: null, reason: null }

onBothEngines(
  'attachments',
  (service) => {
    async function begin() {
      const agent = await service.addAgent()
      const { id: completion, conversation_id: conversation } = await agent.prompt('Where is my invoice?')
      const read = (id: string, headers: Record<string, string> = {}, query = '', by = agent) =>
        fetch(`${agent.baseUrl}/conversations/${conversation}/attachments/${id}${query}`, {
          headers: { ...by.headers, ...headers },
        })
      const messages = async () =>
        (await agent.get(`/conversations/${conversation}/messages?order=desc`)).body.data
      return { agent, completion, conversation, read, messages }
    }
    const database = () => service.app.app.foundation.database
    const picture = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    const bytesOf = async (image: Sharp) => Uint8Array.from(await image.toBuffer())

    it('POST 201: a file gets its type from its bytes, and is sent with a message', async () => {
      const { agent, conversation, messages, read } = await begin()
      const { file, message } = await sendFile(agent, conversation, 'invoice.png', PDF, {
        content: 'Here it is.',
      })
      const { id } = file
      assert.deepEqual(file, {
        ...{ id, kind: 'file', name: 'invoice.png', type: 'application/pdf', bytes: PDF.length },
        ...KEPT,
      })
      assert.deepEqual([message.content, message.kind, message.attachments], ['Here it is.', 'text', [file]])
      assert.deepEqual((await messages())[0].attachments, [file])
      assert.equal((await messages())[1].attachments, null)
      const bytes = await read(id)
      assert.equal(bytes.status, 200)
      assert.equal(await bytes.text(), PDF)
      const headers = Object.fromEntries(bytes.headers)
      assert.equal(headers['content-type'], 'application/pdf')
      assert.equal(headers['content-length'], String(PDF.length))
      assert.equal(headers['content-disposition'], 'inline; filename="invoice.png"')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
      // Without it, any site could frame the file: the policy says nothing of that.
      assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
      assert.equal(headers['cache-control'], 'no-store')
    })

    it('a message of files alone says what they are, and a model reads that', async () => {
      const { agent, conversation } = await begin()
      const one = await upload(agent, conversation, { 'a.txt': 'one' })
      const two = await upload(agent, conversation, { 'b.txt': 'two' })
      const attachments = [two.body.data.id, one.body.data.id]
      const { body } = await agent.post(`/conversations/${conversation}/messages`, { attachments })
      assert.deepEqual([body.data.content, body.data.kind], ['[file] [file]', 'file'])
      assert.deepEqual(
        body.data.attachments.map(({ name }: { name: string }) => name),
        ['b.txt', 'a.txt'],
      )
      await agent.post(`/conversations/${conversation}/resume`)
      service.model.reset()
      await agent.prompt('Thanks', { conversation_id: conversation })
      assert.match(JSON.stringify(service.model.requests.at(-1)?.body), /\[Person\] \[file\] \[file\]/)
    })

    it('GET 200: what could run in a browser is saved and never shown', async () => {
      const { agent, conversation, read } = await begin()
      for (const [name, content] of [
        ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
        ['b.svg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
        ['c.png', '<!doctype html><script>alert(1)</script>'],
      ] as const) {
        const { file } = await sendFile(agent, conversation, name, content)
        assert.equal(file.kind, 'file')
        const { headers } = await read(file.id)
        assert.equal(headers.get('content-type'), 'application/octet-stream', name)
        assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`)
      }
    })

    it('a file of an older version, which says less, is answered with all fields', async () => {
      const { agent, conversation } = await begin()
      const { file } = await sendFile(agent, conversation, 'a.txt', 'one')
      const { duration: _, transcript: __, reason: ___, ...stored } = file
      await database()
        .db.updateTable('messages')
        .set({ attachments: JSON.stringify([stored]) })
        .where('attachments', 'like', `%${file.id}%`)
        .execute()
      const { data } = (await agent.get(`/conversations/${conversation}/messages`)).body
      assert.deepEqual(data.at(-1).attachments, [file])
    })

    it('a name loses its folders, and other characters than ASCII reach the browser', async () => {
      const { agent, conversation, read } = await begin()
      const { file } = await sendFile(agent, conversation, 'C:\\x\\Über uns.txt', 'hello')
      assert.equal(file.name, 'Über uns.txt')
      const { headers } = await read(file.id)
      assert.equal(
        headers.get('content-disposition'),
        `attachment; filename="_ber uns.txt"; filename*=UTF-8''%C3%9Cber%20uns.txt`,
      )
    })

    it('GET 206 and 416: ranges', async () => {
      const { agent, conversation, read } = await begin()
      const { file } = await sendFile(agent, conversation, 'a.pdf', PDF)
      for (const [range, from, to] of [
        ['bytes=0-4', 0, 5],
        ['bytes=131070-131075', 131_070, 131_076],
        [`bytes=${PDF.length - 3}-`, PDF.length - 3, PDF.length],
        ['bytes=-6', PDF.length - 6, PDF.length],
        ['bytes=5-99999999', 5, PDF.length],
      ] as const) {
        const part = await read(file.id, { range })
        assert.equal(part.status, 206, range)
        assert.equal(part.headers.get('content-range'), `bytes ${from}-${to - 1}/${PDF.length}`)
        assert.equal(await part.text(), PDF.slice(from, to), range)
      }
      assert.equal((await read(file.id, { range: 'bytes=0-1,3-4' })).status, 200)
      const beyond = await read(file.id, { range: `bytes=${PDF.length}-` })
      assert.equal(beyond.status, 416)
      assert.equal(beyond.headers.get('content-range'), `bytes */${PDF.length}`)
    })

    it('POST 201: a picture is made anew, upright, without what a camera wrote, and has a small one', async () => {
      const { agent, conversation, read } = await begin()
      const gps = { IFD0: { Make: 'Wachtel' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } }
      for (const [format, type] of [
        ['jpeg', 'image/jpeg'],
        ['png', 'image/png'],
        ['webp', 'image/webp'],
        ['gif', 'image/gif'],
        ['avif', 'image/webp'],
      ] as const) {
        const sent = await bytesOf(
          picture(1000, 500).withExif(gps).withMetadata({ orientation: 6 }).toFormat(format),
        )
        const { file } = await sendFile(agent, conversation, `photo.${format}`, sent)
        assert.deepEqual([file.kind, file.type], ['image', type], format)
        const kept = Buffer.from(await (await read(file.id)).arrayBuffer())
        assert.equal(kept.length, file.bytes)
        assert.ok(!kept.includes('Wachtel'))
        const { width, height, exif, orientation } = await sharp(kept).metadata()
        assert.deepEqual([width, height, exif, orientation], [file.width, file.height, undefined, undefined])
        if (format === 'jpeg') assert.deepEqual([width, height], [500, 1000])
        const small = await read(file.id, {}, '?preview=true')
        assert.equal(small.headers.get('content-type'), 'image/webp')
        const preview = await sharp(Buffer.from(await small.arrayBuffer())).metadata()
        assert.equal(Math.max(preview.width, preview.height), 640)
        if (format === 'jpeg' && service.engine === 'sqlite') {
          await database().engine.eraseOverwritten()
          assert.deepEqual(await filesWith(service.app.dataDir, 'Wachtel'), [])
        }
      }
    })

    it('POST 201: a PNG keeps all of its colours', async () => {
      const { agent, conversation, read } = await begin()
      const size = { width: 64, height: 64 }
      const colours = Buffer.alloc(64 * 64 * 3)
      for (let at = 0; at < 64 * 64; at++) colours.set([at % 64, Math.floor(at / 64), 77], at * 3)
      const sent = await bytesOf(sharp(colours, { raw: { ...size, channels: 3 } }).png())
      const { file } = await sendFile(agent, conversation, 'screen.png', sent)
      const kept = sharp(Buffer.from(await (await read(file.id)).arrayBuffer()))
      assert.ok((await kept.raw().toBuffer()).equals(colours))
    })

    it('POST 201: what hides behind a picture is lost, and one that moves goes on moving', async () => {
      const { agent, conversation, read } = await begin()
      const hidden = Buffer.concat([
        await picture(8, 8).png().toBuffer(),
        Buffer.from('<script>alert(1)</script>'),
      ])
      const { file } = await sendFile(agent, conversation, 'a.html', Uint8Array.from(hidden))
      assert.equal(file.type, 'image/png')
      assert.ok(!Buffer.from(await (await read(file.id)).arrayBuffer()).includes('script'))
      const frames = [await picture(20, 10).png().toBuffer(), await picture(20, 10).negate().png().toBuffer()]
      const moving = await bytesOf(sharp(frames, { join: { animated: true } }).gif())
      const { file: gif } = await sendFile(agent, conversation, 'b.gif', moving)
      assert.deepEqual([gif.width, gif.height], [20, 10])
      const kept = await sharp(Buffer.from(await (await read(gif.id)).arrayBuffer())).metadata()
      assert.equal(kept.pages, 2)
    })

    it('POST 400: pictures that cannot be shown, empty files, other bodies', async () => {
      const { agent, conversation, messages } = await begin()
      const cut = (await bytesOf(picture(400, 400).jpeg())).slice(0, 600)
      const heic = Uint8Array.from(
        // So large that it still comes when it is refused.
        Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic0000mif1heic'), Buffer.alloc(9e5)]),
      )
      const huge = await bytesOf(picture(8, 8).png())
      const header = new DataView(huge.buffer, huge.byteOffset)
      for (const at of [16, 20]) header.setUint32(at, 16_384)
      header.setUint32(29, crc32(huge.subarray(12, 29)))
      for (const [content, words] of [
        [cut, /cannot be read/],
        [huge.slice(0, 14), /cannot be read/],
        [heic, /of a kind that is not read/],
        [huge, /more than 50 million pixels/],
        ['', /is empty/],
      ] as const) {
        const { status, body } = await upload(agent, conversation, { 'a.jpg': content })
        assert.equal(status, 400)
        assert.match(body.error.message, words)
      }
      assert.equal((await upload(agent, conversation, {})).status, 400)
      const path = `/conversations/${conversation}`
      assertError(await agent.post(`${path}/attachments`, { a: 1 }), 415, 'unsupported_media_type')
      assertError(await agent.post(`${path}/messages`, {}), 400, 'invalid_request')
      assert.equal((await messages()).length, 2)
      // Nothing of them is left.
      const { db } = database()
      await removeGivenUp({ db, places: placesInDatabase(db) }, agent.agentId, new Date().toISOString())
      for (const table of ['files', 'file_pieces'] as const)
        assert.deepEqual(
          await db.selectFrom(table).select('agent_id').where('agent_id', '=', agent.agentId).execute(),
          [],
        )
    })

    it('POST 413: a file above the limit; 400: more than one', async () => {
      const { agent, conversation } = await begin()
      const large = await upload(agent, conversation, { 'a.bin': new Uint8Array(1024 * 1024 + 1) })
      const { code, message } = large.body.error
      assert.deepEqual(
        [large.status, code, message],
        [413, 'body_too_large', 'An upload may have at most 1 MiB.'],
      )
      const whole = await upload(agent, conversation, { 'a.bin': new Uint8Array(1024 * 1024) })
      assert.equal(whole.status, 201)
      const two = await upload(agent, conversation, { 'a.txt': 'one', 'b.txt': 'two' })
      const { message: why, param } = two.body.error
      assert.deepEqual([two.status, why, param], [400, 'file: there is more than one', 'file'])
    })

    it('a client that leaves before its file is read keeps no place', async () => {
      const { agent, conversation } = await begin()
      const { server } = service.app.app.server
      const leave = (request: IncomingMessage) => void request.destroy()
      server.prependListener('request', leave)
      for (let n = 0; n < 16; n++) await assert.rejects(upload(agent, conversation, { 'a.txt': 'a' }))
      server.off('request', leave)
      // The handlers of those requests have begun before that of this one.
      await agent.get(`/conversations/${conversation}`)
      assert.equal((await upload(agent, conversation, { 'a.txt': 'a' })).status, 201)
    })

    it('nothing is left of a file that is removed while it arrives', async () => {
      const { agent, conversation } = await begin()
      const { db } = database()
      const places = placesInDatabase(db)
      const { agentId, teamId } = agent
      const owner = { agentId, teamId, conversationId: conversation }
      async function* arriving() {
        yield Buffer.alloc(200_000, 'a')
        await removeFilesOf({ db, places }, agentId, async () => {})
        yield Buffer.alloc(200_000, 'b')
      }
      const keepFile = keepsFiles({ db, clock: Date.now, places })
      await assert.rejects(keepFile(owner, 'a.txt', arriving()), { code: 'unavailable' })
      assert.deepEqual(
        await db.selectFrom('file_pieces').select('part').where('agent_id', '=', agentId).execute(),
        [],
      )
    })

    it('400: a file that was sent already, or of another conversation', async () => {
      const { agent, conversation } = await begin()
      const { file } = await sendFile(agent, conversation, 'a.txt', 'once')
      const send = (id: string, attachments: string[]) =>
        agent.post(`/conversations/${id}/messages`, { attachments })
      assertError(await send(conversation, [file.id]), 400, 'invalid_request')
      const other = await agent.prompt('Another')
      const { body } = await upload(agent, other.conversation_id, { 'b.txt': 'b' })
      assertError(await send(conversation, [body.data.id]), 400, 'invalid_request')
      assertError(await send(other.conversation_id, [body.data.id, body.data.id]), 400, 'invalid_request')
      const both = await Promise.all([1, 2].map(() => send(other.conversation_id, [body.data.id])))
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
    })

    it('a repeat with the same Idempotency-Key is the same message', async () => {
      const { agent, conversation } = await begin()
      const { body } = await upload(agent, conversation, { 'a.txt': 'once' })
      const send = (fields: object) =>
        agent.post(`/conversations/${conversation}/messages`, fields, { 'idempotency-key': 'k1' })
      const first = await send({ attachments: [body.data.id] })
      const again = await send({ attachments: [body.data.id] })
      assert.deepEqual([again.status, again.body.data.id], [200, first.body.data.id])
      assertError(await send({ content: 'x', attachments: [body.data.id] }), 409, 'idempotency_key_reused')
    })

    it('403 and 404: who may read and send', async () => {
      const { agent, conversation, read } = await begin()
      const { agentId, teamId } = agent
      const issue = (right: 'chat' | 'read') => service.app.issue({ agentId, teamId, right })
      const [site, reader] = [await issue('chat'), await issue('read')]
      assert.equal((await upload(reader, conversation, { 'a.txt': 'a' })).status, 403)
      const { body } = await upload(agent, conversation, { 'a.txt': 'a' })
      const status = async (by: TestAgent, id = body.data.id) => (await read(id, {}, '', by)).status
      // It was not sent yet.
      assert.deepEqual([await status(agent), await status(reader), await status(site)], [200, 404, 404])
      await agent.post(`/conversations/${conversation}/messages`, { attachments: [body.data.id] })
      assert.deepEqual([await status(agent), await status(reader), await status(site)], [200, 200, 200])
      const stranger = await service.addAgent()
      const sibling = await service.addAgent({ teamId })
      assert.deepEqual([await status(stranger), await status(sibling)], [404, 404])
      assert.deepEqual([await status(agent, 'none'), await status(agent, conversation)], [404, 404])
      assert.equal((await read(body.data.id, {}, '?preview=true')).status, 404)
      assert.equal((await upload(agent, 'none', { 'a.txt': 'a' })).status, 404)
    })

    for (const mode of ['scrub', 'anonymize'] as const)
      it(`${mode}: deletes bytes and names, says so in the message, and counts it`, async () => {
        const { agent, completion, conversation, read, messages } = await begin()
        const word = `Rebhuhn ${mode}`
        const { file } = await sendFile(agent, conversation, `${word}.pdf`, PDF + word.repeat(20_000))
        const text = await sendFile(agent, conversation, `${word}.txt`, word, {
          content: 'Call 030 1234567',
        })
        const { status, body } = await agent.post(`/chat/completions/${completion}/${mode}`)
        assert.deepEqual([status, body.data.remaining], [200, 0])
        const [second, first] = await messages()
        assert.deepEqual(first.attachments, [{ ...file, name: null, state: 'deleted' }])
        assert.equal(first.content, '[FILE]')
        assert.equal(second.content, mode === 'scrub' ? '[FILE] [REDACTED]' : '[FILE] Call [PHONE_NUMBER]')
        for (const { id } of [file, text.file]) assert.equal((await read(id)).status, 404)
        const { db } = database()
        for (const table of ['files', 'file_pieces'] as const)
          assert.deepEqual(
            await db.selectFrom(table).select('agent_id').where('agent_id', '=', agent.agentId).execute(),
            [],
          )
        if (service.engine === 'sqlite') assert.deepEqual(await filesWith(service.app.dataDir, word), [])
        const { receipt } = (await agent.get(`/chat/completions/${completion}/erasure`)).body.data
        assert.deepEqual([receipt.erased.files, receipt.erased.rows.files], [2, 2])
        if (mode === 'anonymize') {
          await agent.post(`/chat/completions/${completion}/scrub`)
          const again = await messages()
          assert.deepEqual([again[1].content, again[0].content], ['[FILE]', '[FILE] [REDACTED]'])
        }
      })

    it('retention deletes files', async () => {
      const { agent, conversation, read, messages } = await begin()
      const { file } = await sendFile(agent, conversation, 'a.txt', 'old')
      await agent.patch('/agent', { retention: { days: 1, mode: 'anonymize' } })
      await applyRetentionAt(service.app, Date.now() + 2 * 86_400_000)
      assert.equal((await messages())[0].attachments[0].state, 'deleted')
      assert.equal((await read(file.id)).status, 404)
    })

    it('a visitor reads the files that people send, and nobody else does', async () => {
      const agent = await service.addAgent()
      const widget = await addWidget(service.app, agent)
      const [visitor, other] = [await widget.visit(), await widget.visit()]
      const said = await visitor.say('Can I have the invoice?')
      const conversation = String(said.first.conversation_id)
      const { file } = await sendFile(agent, conversation, 'invoice.pdf', PDF)
      const [message] = (await visitor.get('/messages')).body.data.slice(-1)
      assert.deepEqual([message.content, message.attachments], ['[file]', [file]])
      const path = `/conversations/${conversation}/attachments/${file.id}`
      const read = await visitor.get(path)
      assert.deepEqual([read.status, read.text], [200, PDF])
      assert.equal(read.headers.get('content-security-policy'), "default-src 'none'; sandbox")
      assertError(await other.get(path), 404, 'conversation_not_found')
      assertError(
        await visitor.get(`/conversations/${conversation}/attachments/none`),
        404,
        'attachment_not_found',
      )
      const { body } = await upload(agent, conversation, { 'a.txt': 'unsent' })
      assert.equal(
        (await visitor.get(`/conversations/${conversation}/attachments/${body.data.id}`)).status,
        404,
      )
    })

    it('exports with files=true are archives with the files', async () => {
      const agent = await service.addAgent()
      const prompt = await agent.prompt('Hello', { user: 'ada' })
      const conversation = prompt.conversation_id
      const { file } = await sendFile(agent, conversation, '../Über.pdf', PDF)
      const two = await sendFile(agent, conversation, '..', 'two')
      const other = await agent.prompt('Hello', { user: 'grace' })
      const three = await sendFile(agent, other.conversation_id, 'of grace.txt', 'three')
      await agent.post(`/chat/completions/${other.id}/scrub`)
      for (const [path, text, deleted] of [
        ['/users/ada/export', 'user.jsonl', ''],
        ['/export', 'conversations.jsonl', `${three.file.id}\n`],
      ] as const) {
        const response = await fetch(`${agent.baseUrl}${path}?files=true`, { headers: agent.headers })
        assert.equal(response.headers.get('content-type'), 'application/zip')
        const archive = await JSZip.loadAsync(await response.arrayBuffer(), { checkCRC32: true })
        assert.deepEqual(Object.keys(archive.files), [
          text,
          `files/${file.id}-Über.pdf`,
          `files/${two.file.id}-file`,
          'deleted.txt',
        ])
        assert.equal(await archive.file('deleted.txt')?.async('string'), deleted)
        assert.equal(await archive.file(`files/${file.id}-Über.pdf`)?.async('string'), PDF)
        const lines = (await archive.file(text)?.async('string')) ?? ''
        const plain = await fetch(`${agent.baseUrl}${path}`, { headers: agent.headers })
        assert.equal(lines, await plain.text())
        assert.ok(lines.includes(file.id))
      }
    })

    it('a file that nobody sends is deleted after a day', async () => {
      const { agent, conversation, read } = await begin()
      const { body } = await upload(agent, conversation, { 'a.txt': 'unsent' })
      service.clock = () => Date.now() + 86_400_001
      assert.equal((await read(body.data.id)).status, 404)
      const path = `/conversations/${conversation}/messages`
      assertError(await agent.post(path, { attachments: [body.data.id] }), 400, 'invalid_request')
    })
  },
  { PARLEY_FILE_LIMIT: String(1024 * 1024) },
)
