import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { keepData } from '../../src/files/keep-data.ts'
import type { FilePlaces } from '../../src/files/places/file-place.ts'
import { readsData } from '../../src/files/read-data.ts'
import { deleteFile, giveToMessage } from '../../src/files/store.ts'
import { uuidv7 } from '../../src/lib/ids.ts'
import { nothingSaid } from '../../src/transcripts/attachments.ts'
import { assertError } from '../support/app.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { upload } from '../support/upload.ts'

/** A place of which no function is called. */
const NOWHERE: FilePlaces = {
  current: null,
  mostWrites: 1,
  write: () => assert.fail(),
  read: () => assert.fail(),
  remove: () => assert.fail(),
}
/** A GIF picture, behind which anything may follow. */
const GIF = 'R0lGODlhAQABAIAAAMBAIAAAACwAAAAAAQABAAACAkQBADsA'

interface Part {
  type: string
  attachment_id?: string
  text?: string
}

onBothEngines(
  'files of prompts',
  (service) => {
    const pngOf = async (width: number, background: string) =>
      (
        await sharp({ create: { width, height: 20, channels: 3, background } })
          .png()
          .toBuffer()
      ).toString('base64')
    const image = (base64: string, more: object = {}) => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${base64}`, ...more },
    })
    const text = (words: string) => ({ type: 'text', text: words })
    const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
    /** Returns the parts of messages of the user that the model was last sent, texts as such. */
    const sent = () =>
      (service.model.requests.at(-1)?.body.messages ?? [])
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content as string | Part[])

    it('POST /chat/completions 200: pictures, sounds and files are kept apart, and reach the model as they were sent', async () => {
      const agent = await service.addAgent()
      const png = await pngOf(30, '#c04020')
      const parts = [
        text('What is this?'),
        image(png, { detail: 'low' }),
        { type: 'input_audio', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } },
        {
          type: 'file',
          file: { filename: 'letter.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjcK' },
        },
      ]
      const answer = await agent.prompt('', user(parts))
      assert.deepEqual((sent().at(-1) as Part[]).slice(-4), parts)
      const messages = async () =>
        (await agent.get(`/conversations/${answer.conversation_id}/messages`)).body.data
      const [message] = await messages()
      const attachments = message.attachments
      const [first, second, third] = attachments.map(({ id }: { id: string }) => id)
      assert.deepEqual(message.content, [
        text('What is this?'),
        { type: 'image_url', attachment_id: first },
        { type: 'input_audio', attachment_id: second },
        { type: 'file', attachment_id: third },
      ])
      const stored = { width: null, height: null, ...nothingSaid, state: 'stored' }
      const bytes = Buffer.from(png, 'base64').length
      assert.deepEqual(attachments, [
        { id: first, kind: 'image', name: null, type: 'image/png', bytes, ...stored, width: 30, height: 20 },
        { id: second, kind: 'voice', name: null, type: 'audio/wav', bytes: 12, ...stored },
        { id: third, kind: 'file', name: 'letter.pdf', type: 'application/pdf', bytes: 9, ...stored },
      ])
      for (const [id, query] of [
        [first, ''],
        [first, '?preview=true'],
      ]) {
        const path = `/conversations/${answer.conversation_id}/attachments/${id}${query}`
        const read = await fetch(agent.baseUrl + path, { headers: agent.headers })
        assert.equal(read.headers.get('content-type'), 'image/png')
        assert.equal(Buffer.from(await read.arrayBuffer()).toString('base64'), png)
      }
      await agent.prompt('And now?', { conversation_id: answer.conversation_id })
      assert.deepEqual(sent()[0], parts)
    })

    it('POST /responses 200: the same', async () => {
      const agent = await service.addAgent()
      const png = await pngOf(31, '#c04021')
      const input = [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', image_url: `data:image/png;base64,${png}` },
          ],
        },
      ]
      const { status, body } = await agent.post('/responses', { input })
      assert.equal(status, 200)
      assert.deepEqual((sent().at(-1) as Part[]).at(-1), image(png))
      const [message] = (await agent.get(`/conversations/${body.conversation_id}/messages`)).body.data
      assert.equal(message.attachments.length, 1)
    })

    it('400: addresses are not fetched, by nobody', async () => {
      const agent = await service.addAgent()
      for (const part of [
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'image_url', image_url: 'http://127.0.0.1/a.png' },
        { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
        // Parsers of addresses leave out such characters.
        { type: 'image_url', image_url: { url: '\u0001https://example.com/a.png' } },
        { type: 'image_url', image_url: { url: 'ht\ntps://example.com/a.png' } },
        // Some servers know further parts, and fetch these.
        { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
        { type: 'audio_url', text: 'Listen', audio_url: { url: 'https://example.com/a.mp3' } },
        { type: 'input_image', image_url: 'https://example.com/a.png' },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'media', items: [{ file_uri: 'gs://example/a.png' }] },
      ])
        assertError(await agent.post('/chat/completions', user([part])), 400, 'invalid_request')
      const content = [{ type: 'input_image', image_url: 'https://example.com/a.png' }]
      assertError(
        await agent.post('/responses', { input: [{ role: 'user', content }] }),
        400,
        'invalid_request',
      )
      assert.equal(service.model.requests.length, 0)
      const quoted = { type: 'quote', quote: { text: 'See https://example.com', url: 'data:text/plain,a' } }
      assert.equal((await agent.post('/chat/completions', user([text('Hi'), quoted]))).status, 200)
    })

    it('400: parts whose data is none are refused by name', async () => {
      const agent = await service.addAgent()
      const png = Buffer.from(await pngOf(41, '#c04031'), 'base64')
      const cut = png.subarray(0, 14).toString('base64')
      const words = Buffer.from('no picture at all').toString('base64')
      const url = (data: unknown) => ({ type: 'image_url', image_url: { url: data } })
      const sound = (data: unknown) => ({ type: 'input_audio', input_audio: { data, format: 'wav' } })
      for (const [part, field] of [
        [url('data:image/png;base64,***'), 'image_url.url'],
        [url('data:image/png;base64,'), 'image_url.url'],
        [url('data:image/png,abc'), 'image_url.url'],
        [url(7), 'image_url.url'],
        [url(`data:image/png;base64,${words}`), 'image_url.url'],
        [url(`data:image/png;base64,${cut}`), 'image_url.url'],
        [{ type: 'image_url', image_url: words }, 'image_url'],
        [{ type: 'image_url' }, 'image_url'],
        [sound(7), 'input_audio.data'],
        [sound(''), 'input_audio.data'],
        [sound('***'), 'input_audio.data'],
        [{ type: 'file', file: { file_id: 'file-1' } }, 'file.file_data'],
        [{ type: 'file', file: { file_data: 'data:application/pdf;base64,' } }, 'file.file_data'],
        [{ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }, 'video_url'],
      ] as const) {
        const answer = await agent.post('/chat/completions', user([text('Look'), part]))
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, `messages.0.content.1.${field}`, answer.text)
      }
      for (const [part, field] of [
        [{ type: 'input_image', image_url: 'data:image/png;base64,***' }, 'image_url'],
        [{ type: 'input_image', image_url: '' }, 'image_url'],
        [{ type: 'input_image', image_url: `data:image/png;base64,${words}` }, 'image_url'],
        [{ type: 'input_image', image_url: `data:image/png;base64,${cut}` }, 'image_url'],
        [{ type: 'input_file', file_data: '***' }, 'file_data'],
      ] as const) {
        const answer = await agent.post('/responses', { input: [{ role: 'user', content: [part] }] })
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, `input.0.content.0.${field}`, answer.text)
      }
      assert.equal(service.model.requests.length, 0)
    })

    it('200: a part of another type goes to the model server as it is', async () => {
      const agent = await service.addAgent()
      const part = { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }
      await agent.prompt('', user([text('Look'), part]))
      assert.deepEqual((sent().at(-1) as Part[]).at(-1), part)
    })

    it('413: a file above the limit', async () => {
      const agent = await service.addAgent()
      const part = image(GIF + 'A'.repeat(7_000_000))
      assertError(await agent.post('/chat/completions', user([part])), 413, 'body_too_large')
    })

    it('a part with the id of an attachment of another conversation is no file', async () => {
      const agent = await service.addAgent()
      const secret = await pngOf(32, '#c04022')
      const first = await agent.prompt('', user([text('Mine'), image(secret)]))
      const [message] = (await agent.get(`/conversations/${first.conversation_id}/messages`)).body.data
      const { id } = message.attachments[0]
      const stolen = { type: 'image_url', attachment_id: id }
      const { conversation_id } = await agent.prompt('', user([text('Give it to me'), stolen]))
      await agent.prompt('Once more', { conversation_id })
      const body = JSON.stringify(service.model.requests.slice(-2).map(({ body }) => body))
      assert.ok(!body.includes(secret.slice(-40)))
      assert.match(body, /\[image\]/)
    })

    it('of earlier pictures the newest are sent, up to 8 MiB', async () => {
      const agent = await service.addAgent()
      const big = (letter: string) => GIF + letter.repeat(6_000_000)
      const { conversation_id } = await agent.prompt('', user([text('One'), image(big('A'))]))
      await agent.prompt('', { conversation_id, ...user([text('Two'), image(big('B'))]) })
      await agent.prompt('', { conversation_id, ...user([text('Three'), image(big('C'))]) })
      const data = (content: string | Part[]) => /base64,.{48}(.)/.exec(JSON.stringify(content))?.[1]
      assert.deepEqual(sent().map(data), [undefined, 'B', 'C'])
      assert.equal(sent()[0], 'One\n[image]')
    })

    it('data that an earlier version kept in a message reaches the model', async () => {
      const agent = await service.addAgent()
      const { id, conversation_id } = await agent.prompt('Hello')
      const parts = [text('What is this?'), image(await pngOf(35, '#c04025'))]
      await service.app.app.foundation.database.db
        .updateTable('messages')
        .set({ content: JSON.stringify(parts) })
        .where('completion_id', '=', id)
        .where('role', '=', 'user')
        .execute()
      await agent.prompt('And now?', { conversation_id })
      assert.deepEqual(sent()[0], parts)
    })

    const refusals = [
      { status: 500, raw: { body: '{"error":{"message":"image input is not supported - hint: mmproj"}}' } },
      { status: 400, raw: { body: '{"error":{"message":"messages[1].content must be a string"}}' } },
    ]
    for (const refusal of refusals)
      it(`a server that refuses pictures with ${refusal.status} gets words, then and later`, async () => {
        const agent = await service.addAgent()
        const part = image(await pngOf(36, '#c04026'))
        for (const stream of [false, true]) {
          await agent.patch('/agent', { model: { timeout_ms: stream ? 10_000 : 20_000 } })
          service.model.reset()
          service.model.next(refusal)
          const body = { ...user([text('Look'), part]), stream }
          assert.equal((await agent.post('/chat/completions', body)).status, 200)
          assert.equal((await agent.post('/chat/completions', body)).status, 200)
          const asked = service.model.requests.map(({ body }) => body.messages.at(-1)?.content)
          assert.equal(asked.length, 3)
          assert.deepEqual((asked[0] as Part[]).at(-1), part)
          for (const content of asked.slice(1)) assert.match(String(content), /Look\n\[image\]$/)
        }
      })

    it('a refusal of one picture is not remembered, and no other failure is taken for one', async () => {
      const agent = await service.addAgent()
      const part = image(await pngOf(37, '#c04027'))
      const ask = () => agent.post('/chat/completions', user([text('Look'), part]))
      for (const message of [
        'Could not decode the image',
        'cannot identify image file <_io.BytesIO object>',
        'image file is truncated (0 bytes not processed)',
        'Provided image is not valid.',
        'Invalid image data.',
        'Your input image may contain content that is not allowed by our safety system.',
        "The prompt triggered the service's content management policy.",
      ]) {
        service.model.next({ status: 400, raw: { body: JSON.stringify({ error: { message } }) } })
        for (const _ of [1, 2]) assert.equal((await ask()).status, 200)
        assert.deepEqual((sent().at(-1) as Part[]).at(-1), part, message)
      }
      service.model.next({ status: 400 }, { status: 400 })
      assert.equal((await ask()).status, 502)
      assert.equal((await ask()).status, 200)
      assert.deepEqual((sent().at(-1) as Part[]).at(-1), part)
    })

    it('wording about one picture, or any refusal by a server that took one just now, holds for that request only', async () => {
      const part = image(await pngOf(40, '#c04030'))
      for (const [message, takesFirst] of [
        ['cannot identify image file <_io.BytesIO object at 0x7f1>', false],
        ['image file is truncated (3 bytes not processed)', false],
        ['this model does not support image input', true],
      ] as const) {
        const agent = await service.addAgent()
        for (const stream of [false, true]) {
          await agent.patch('/agent', { model: { timeout_ms: stream ? 10_000 : 20_000 } })
          const ask = () => agent.post('/chat/completions', { ...user([text('Look'), part]), stream })
          if (takesFirst) assert.equal((await ask()).status, 200, message)
          service.model.next({ status: 400, raw: { body: JSON.stringify({ error: { message } }) } })
          for (const _ of [1, 2]) assert.equal((await ask()).status, 200, message)
          assert.deepEqual((sent().at(-1) as Part[]).at(-1), part, message)
        }
      }
    })

    it('model.images: off sends words, on sends pictures whatever the server says', async () => {
      const agent = await service.addAgent()
      const part = image(await pngOf(38, '#c04028'))
      const audio = { type: 'input_audio', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } }
      assertError(await agent.patch('/agent', { model: { images: 'no' } }), 400, 'invalid_request')
      assert.equal((await agent.get('/agent')).body.data.model.images, 'auto')
      await agent.patch('/agent', { model: { images: 'off' } })
      await agent.prompt('', user([text('Look'), part]))
      assert.match(String(sent().at(-1)), /Look\n\[image\]$/)
      await agent.prompt('', user([text('Look and listen'), part, audio]))
      assert.deepEqual((sent().at(-1) as Part[]).slice(-3), [text('Look and listen'), text('[image]'), audio])
      await agent.patch('/agent', { model: { images: 'on' } })
      service.model.reset()
      service.model.next({ status: 400 })
      assert.equal((await agent.post('/chat/completions', user([text('Look'), part]))).status, 502)
      assert.equal(service.model.requests.length, 1)
    })

    it('pictures of an attachment are sent behind the text, small and in a form that all servers read', async () => {
      const agent = await service.addAgent()
      const { id, conversation_id } = await agent.prompt('Hello')
      const wide = sharp({ create: { width: 3000, height: 1000, channels: 3, background: '#20c040' } })
      const photo = Uint8Array.from(await wide.webp().toBuffer())
      const files = []
      for (const [name, content] of [
        ['a.webp', photo],
        ['b.txt', 'no picture'],
      ] as const)
        files.push((await upload(agent, conversation_id, { [name]: content })).body.data)
      const { db } = service.app.app.foundation.database
      const [{ id: messageId } = { id: 0 }] = await db
        .updateTable('messages')
        .set({ content: '"[image] [file] Is it this one?"', attachments: JSON.stringify(files) })
        .where('completion_id', '=', id)
        .where('role', '=', 'user')
        .returning('id')
        .execute()
      await giveToMessage(
        db,
        files.map(({ id }) => id),
        { id: messageId, conversationId: conversation_id },
      )
      await agent.prompt('And now?', { conversation_id })
      const [said, picture, ...more] = sent()[0] as Part[]
      assert.deepEqual([said, more], [text('[image] [file] Is it this one?'), []])
      const { url } = (picture as unknown as { image_url: { url: string } }).image_url
      assert.match(url, /^data:image\/jpeg;base64,/)
      const { width, height } = await sharp(Buffer.from(url.replace(/^.*,/, ''), 'base64')).metadata()
      assert.deepEqual([width, height], [2048, 683])
      await agent.patch('/agent', { model: { images: 'off' } })
      await agent.prompt('And now?', { conversation_id })
      assert.equal(sent()[0], '[image] [file] Is it this one?')
    })

    it('pictures that wait until they are made smaller take no memory', async () => {
      const agent = await service.addAgent()
      const { db } = service.app.app.foundation.database
      const bytes = Buffer.from(await pngOf(40, '#c0402a'), 'base64')
      const ids = Array.from({ length: 6 }, () => uuidv7(Date.now()))
      const files = ids.map((id) => ({
        ...{ id, agent_id: agent.agentId, conversation_id: '', message_id: 1, place: null, remove_at: null },
      }))
      await db.insertInto('files').values(files).execute()
      const reading = { now: 0, most: 0 }
      // The first waits for the second, so that both are read at once however late that one comes.
      const both = Promise.withResolvers<void>()
      const places = {
        ...NOWHERE,
        async *read() {
          reading.most = Math.max(reading.most, ++reading.now)
          if (reading.now === 2) both.resolve()
          await both.promise
          await setImmediate()
          yield bytes
          reading.now--
        },
      }
      const read = readsData({ db, places })
      const file = { kind: 'image' as const, name: null, type: 'image/png', bytes: bytes.length }
      const owner = { id: agent.agentId, teamId: agent.teamId }
      const all = await Promise.all(ids.map((id) => read(owner, { id, ...file })))
      assert.ok(all.every((data) => data?.base64 === bytes.toString('base64')))
      assert.equal(reading.most, 2)
    })

    it('no bytes stay of data whose agent is erased while they are written', async () => {
      const agent = await service.addAgent()
      const { database, clock } = service.app.app.foundation
      const { db } = database
      const left = new Set<string>()
      const places = {
        ...NOWHERE,
        async write({ id }: { id: string }) {
          await deleteFile(db, id)
          left.add(id)
          return 5
        },
        async remove({ id }: { id: string }) {
          left.delete(id)
        },
      }
      const data = { form: { type: 'file' as const }, bytes: Buffer.from('hello'), name: null }
      await assert.rejects(keepData({ db, clock, places }, agent.agentId, data), { code: 'unavailable' })
      assert.deepEqual([...left], [])
    })

    it('nothing is kept of a prompt that is not stored, or that only repeats', async () => {
      const agent = await service.addAgent()
      const part = image(await pngOf(33, '#c04023'))
      const other = image(await pngOf(34, '#c04024'))
      const files = async () => {
        const { db } = service.app.app.foundation.database
        const rows = await db
          .selectFrom('files')
          .select(['message_id', 'remove_at'])
          .where('agent_id', '=', agent.agentId)
          .execute()
        return rows.map(({ message_id, remove_at }) => message_id !== null && remove_at === null)
      }
      const nobody = { conversation_id: '0190f5fe-7c00-7a00-8000-000000000000' }
      const refused = await agent.post('/chat/completions', { ...user([text('Hi'), part]), ...nobody })
      assertError(refused, 404, 'conversation_not_found')
      assert.deepEqual(await files(), [false])
      const external_id = `pictures-${agent.agentId}`
      await agent.prompt('', { external_id, ...user([text('Hi'), part]) })
      await agent.prompt('', {
        external_id,
        messages: [
          { role: 'user', content: [text('Hi'), part] },
          { role: 'assistant', content: 'Hello' },
          { role: 'user', content: [text('And this?'), other] },
        ],
      })
      assert.deepEqual((await files()).filter(Boolean).length, 2)
      const { length } = JSON.stringify(sent())
      const { data } = (await agent.get(`/chat/completions`)).body
      const repeat = { external_id, ...user([text('Again'), part]) }
      const headers = { 'idempotency-key': 'one' }
      const one = await agent.post('/chat/completions', repeat, headers)
      const two = await agent.post('/chat/completions', repeat, headers)
      assert.deepEqual([one.status, two.status, two.body.id], [200, 200, one.body.id])
      assert.ok(length > 0 && data.length === 2)
      assert.deepEqual((await files()).filter(Boolean).length, 3)
    })

    it('anonymize leaves files where redaction_files is keep, and says how many; scrub deletes them', async () => {
      const agent = await service.addAgent()
      assertError(await agent.patch('/agent', { redaction_files: 'some' }), 400, 'invalid_request')
      await agent.patch('/agent', { redaction_files: 'keep' })
      const part = image(await pngOf(39, '#c04029'))
      const data = 'data:text/plain;base64,aGVsbG8='
      const file = { type: 'file', file: { filename: 'ada@example.com.txt', file_data: data } }
      const words = text('I am ada@example.com')
      const { id, conversation_id } = await agent.prompt('', user([words, part, file]))
      const messages = async () => (await agent.get(`/conversations/${conversation_id}/messages`)).body.data
      const before = (await messages())[0]
      const { body } = await agent.post(`/chat/completions/${id}/anonymize`)
      assert.deepEqual(body.data.remaining, 0)
      const after = (await messages())[0]
      const [, picture, letter] = before.content
      assert.deepEqual(after.content, [text('I am [EMAIL_ADDRESS]'), picture, letter])
      const names = after.attachments.map(({ name, state }: Record<string, unknown>) => [name, state])
      assert.deepEqual(names, [
        [null, 'stored'],
        ['[EMAIL_ADDRESS].txt', 'stored'],
      ])
      const { receipt } = (await agent.get(`/chat/completions/${id}/erasure`)).body.data
      assert.deepEqual([receipt.erased.files, receipt.erased.files_kept], [0, 2])
      const acts = await service.app.app.foundation.database.db
        .selectFrom('audit')
        .select('details')
        .where('target', '=', `completion ${id}`)
        .execute()
      assert.deepEqual(
        acts.map(({ details }) => JSON.parse(details ?? '{}').files_kept),
        [2],
      )
      await agent.prompt('And now?', { conversation_id })
      const [, shown, sentLetter] = sent()[0] as Part[]
      assert.deepEqual(shown, part)
      assert.deepEqual(sentLetter, {
        type: 'file',
        file: { filename: '[EMAIL_ADDRESS].txt', file_data: data },
      })
      await agent.post(`/chat/completions/${id}/scrub`)
      const [scrubbed] = await messages()
      assert.equal(scrubbed.content, '[IMAGE] [FILE] [REDACTED]')
      const left = await service.app.app.foundation.database.db
        .selectFrom('file_pieces')
        .select('file_id')
        .where('agent_id', '=', agent.agentId)
        .execute()
      assert.deepEqual(left, [])
    })

    for (const mode of ['scrub', 'anonymize'] as const)
      it(`${mode} leaves no byte of them`, async () => {
        const agent = await service.addAgent()
        const secret = `Eisvogel ${mode}`.repeat(30_000)
        const base64 = Buffer.from(secret).toString('base64')
        const file = { filename: `Eisvogel-${mode}.txt`, file_data: `data:text/plain;base64,${base64}` }
        const { id, conversation_id } = await agent.prompt(
          '',
          user([text('Read it'), { type: 'file', file }]),
        )
        assert.ok(JSON.stringify(sent()).includes(base64.slice(0, 100)))
        const { status, body } = await agent.post(`/chat/completions/${id}/${mode}`)
        assert.deepEqual([status, body.data.remaining], [200, 0])
        const [message] = (await agent.get(`/conversations/${conversation_id}/messages`)).body.data
        const content = mode === 'scrub' ? '[FILE] [REDACTED]' : [text('Read it'), text('[FILE]')]
        assert.deepEqual(message.content, content)
        assert.deepEqual([message.attachments[0].state, message.attachments[0].name], ['deleted', null])
        const { receipt } = (await agent.get(`/chat/completions/${id}/erasure`)).body.data
        assert.equal(receipt.erased.files, 1)
        if (service.engine === 'sqlite')
          for (const word of [`Eisvogel ${mode}`, `Eisvogel-${mode}`, base64.slice(30, 90)])
            assert.deepEqual(await filesWith(service.app.dataDir, word), [], word)
      })
  },
  { PARLEY_FILE_LIMIT: '5000000' },
)
