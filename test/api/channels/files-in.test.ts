import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { it } from 'node:test'
import sharp from 'sharp'
import { FETCHES } from '../../../src/files/fetches/store.ts'
import { assertError, type TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { loseCommitAfter } from '../../support/lost-commit.ts'
import { fileMessage } from '../../support/media-peer.ts'
import { type Chats, kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, type Kind, mediaOf, PERSON, type TestChannel } from '../../support/platform-peer.ts'
import { startTranscriptionServer } from '../../support/transcription-server.ts'
import { tryAgain } from '../../support/try-again.ts'

const PICTURE = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c04020' } })
  .withExif({ IFD0: { Make: 'Wachtel' } })
  .jpeg()
  .toBuffer()
interface Row {
  attachments: Record<string, unknown>[] | null
}

const LIMIT = 512 * 1024
const OGG = `OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01\x01${'kingfisher '.repeat(100)}`

onChannels(
  'files that people send on channels',
  (service, chats: Chats) => {
    const { database, externalId, rowsOf, settled } = chats

    /** Reads the first file of a chat once it is in one of some states. */
    async function file(agent: TestAgent, channel: TestChannel, ...states: string[]) {
      let found: Record<string, unknown> | undefined
      await until(async () => {
        const rows = await rowsOf(agent, channel)
        found = (rows ?? []).flatMap(({ attachments }: Row) => attachments ?? [])[0]
        return states.includes(String(found?.state))
      })
      return found as Record<string, unknown> & { id: string }
    }

    /** Reads the first file of a chat in an end state, and has tries begin at once until then. */
    async function end(agent: TestAgent, channel: TestChannel) {
      let found: Record<string, unknown> & { id: string } = { id: '' }
      await until(async () => {
        await tryAgain(database(), 'file_fetches', FETCHES)
        found = await file(agent, channel, 'fetching', 'stored', 'failed', 'refused')
        return found.state !== 'fetching'
      })
      // Otherwise an answer to it would be counted by the next test.
      await settled(channel)
      return found
    }

    const read = (agent: TestAgent, channel: TestChannel, id: string) =>
      fetch(`${agent.baseUrl}/conversations/${externalId(channel)}/attachments/${id}`, {
        headers: agent.headers,
      })
    const fetchAgain = (agent: TestAgent, channel: TestChannel, id: string) =>
      agent.post(`/conversations/${externalId(channel)}/attachments/${id}/fetch`)
    const pieces = async (id: string) =>
      database().db.selectFrom('file_pieces').select('part').where('file_id', '=', id).execute()

    async function begin(kind: Kind, number: string, more: Record<string, unknown> = {}) {
      const agent = await service.addAgent({ settings: { unsupported_message: null } })
      const channel = await addChannel(agent, kind, chats.peer)
      const { id, fields } = fileMessage(kind, chats.peer.url, number, more)
      chats.peer.files.delete(id)
      const say = () => channel.post(mediaOf(kind, number, fields))
      return { agent, channel, id, say }
    }

    for (const kind of kinds) {
      it(`${kind}: a picture is fetched, made anew and read`, async () => {
        const { agent, channel, id, say } = await begin(kind, '9001')
        chats.peer.files.set(id, PICTURE)
        assert.equal((await say()).status, 200)
        const stored = await file(agent, channel, 'stored')
        const { kind: found, type, width, height, reason } = stored
        assert.deepEqual([found, type, width, height, reason], ['image', 'image/jpeg', 60, 40, null])
        const [message] = await rowsOf(agent, channel)
        assert.deepEqual([message.content, message.kind], ['[image]', 'image'])
        const response = await read(agent, channel, stored.id)
        assert.equal(response.status, 200)
        const bytes = Buffer.from(await response.arrayBuffer())
        assert.equal(bytes.length, stored.bytes)
        assert.ok(!bytes.includes('Wachtel'))
      })

      it(`${kind}: what is not there says so, and is fetched again on request`, async () => {
        const { agent, channel, id, say } = await begin(kind, '9002')
        await say()
        const failed = await end(agent, channel)
        assert.deepEqual([failed.state, failed.reason], ['failed', 'gone'])
        assert.equal((await read(agent, channel, failed.id)).status, 404)
        chats.peer.files.set(id, PICTURE)
        const { status, body } = await fetchAgain(agent, channel, failed.id)
        assert.deepEqual([status, body.data.state, body.data.reason], [200, 'fetching', null])
        await file(agent, channel, 'stored')
        assertError(await fetchAgain(agent, channel, failed.id), 409, 'attachment_not_failed')
        assertError(await fetchAgain(agent, channel, crypto.randomUUID()), 404, 'attachment_not_found')
      })
    }

    it('what comes late is asked for again by itself', async () => {
      const { agent, channel, id, say } = await begin('messenger-three', '9010')
      let asked = 0
      chats.peer.files.set(id, (response) => {
        if (++asked < 3) response.writeHead(202).end()
        else response.end(PICTURE)
      })
      await say()
      assert.equal((await end(agent, channel)).state, 'stored')
      assert.equal(asked, 3)
    })

    it('a file whose platform is away five times is not parked: it is fetched again on request', async () => {
      const { agent, channel, id, say } = await begin('messenger-three', '9011')
      let asked = 0
      chats.peer.files.set(id, (response) => {
        asked++
        response.writeHead(503).end()
      })
      await say()
      const failed = await end(agent, channel)
      assert.deepEqual([asked, failed.state, failed.reason], [5, 'failed', 'unreachable'])
      const row = await database()
        .db.selectFrom('file_fetches')
        .select(['due_at', 'parked_at', 'attempts'])
        .where('file_id', '=', failed.id)
        .executeTakeFirst()
      assert.deepEqual(row, { due_at: null, parked_at: null, attempts: 0 })
      assert.ok(!(await service.eventsOf(agent)).includes('error'))
      assert.equal((await fetchAgain(agent, channel, failed.id)).status, 200)
    })

    if (service.engine === 'postgres')
      it('a file is kept when only the answer to the commit that stored it is lost', async () => {
        const { agent, channel, id, say } = await begin('messenger-one', '9030')
        chats.peer.files.set(id, PICTURE)
        const lost = loseCommitAfter('delete from "file_fetches"')
        await say()
        await lost
        const stored = await end(agent, channel)
        assert.equal(stored.state, 'stored')
        assert.equal((await read(agent, channel, stored.id)).status, 200)
      })

    it('a file that is too large is refused while it comes, or before it is asked for', async () => {
      const { agent, channel, id, say } = await begin('messenger-one', '9011')
      let isClosed = false
      chats.peer.files.set(id, (response) => {
        response.on('close', () => {
          isClosed = true
        })
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        }
        response.on('drain', more)
        more()
      })
      await say()
      const refused = await end(agent, channel)
      assert.deepEqual([refused.state, refused.reason], ['refused', 'too_large'])
      await until(async () => isClosed)
      assert.deepEqual(await pieces(refused.id), [])

      const told = await begin('telegram', '9012', { file_size: LIMIT + 1 })
      await told.say()
      assert.equal((await end(told.agent, told.channel)).reason, 'too_large')
      assert.ok(!chats.peer.requests.some(({ path }) => path.endsWith('/getFile')))
    })

    it('a hash that differs is noticed, and one that is right is not', async () => {
      const wrong = await begin('messenger-one', '9013', { sha256: 'AAAA' })
      chats.peer.files.set(wrong.id, PICTURE)
      await wrong.say()
      const damaged = await end(wrong.agent, wrong.channel)
      assert.deepEqual([damaged.state, damaged.reason], ['failed', 'damaged'])
      assert.deepEqual(await pieces(damaged.id), [])
      const sha256 = createHash('sha256').update(PICTURE).digest('base64')
      const right = await begin('messenger-one', '9014', { sha256 })
      chats.peer.files.set(right.id, PICTURE)
      await right.say()
      assert.equal((await end(right.agent, right.channel)).state, 'stored')
    })

    it('the type is found in the bytes, whatever the platform says', async () => {
      for (const [number, bytes, state, kind, type] of [
        ['9015', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'stored', 'file', 'application/octet-stream'],
        ['9016', '%PDF-1.7\n%%EOF', 'stored', 'file', 'application/pdf'],
        ['9017', '', 'refused', 'image', 'application/octet-stream'],
        ['9018', PICTURE.subarray(0, 200), 'refused', 'image', 'application/octet-stream'],
      ] as const) {
        const { agent, channel, id, say } = await begin('messenger-two', number)
        chats.peer.files.set(id, Buffer.from(bytes))
        await say()
        const ended = await end(agent, channel)
        assert.deepEqual([ended.state, ended.kind, ended.type], [state, kind, type], number)
      }
    })

    it('no other address is asked, also by a redirect', async () => {
      for (const [number, url] of [
        ['9020', 'http://169.254.169.254/latest/meta-data'],
        ['9021', 'https://127.0.0.1:1/'],
        ['9022', 'https://[::1]/'],
        ['9023', 'https://10.0.0.1/'],
        ['9024', 'http://example.com/'],
        ['9025', 'file:///etc/passwd'],
        ['9026', 'https://a:b@example.com/'],
      ] as const) {
        const { agent, channel, id, say } = await begin('helpdesk', number)
        chats.peer.files.set(id, (response) => response.writeHead(302, { location: url }).end())
        await say()
        const ended = await end(agent, channel)
        assert.deepEqual([ended.state, ended.reason], ['refused', 'address_refused'], url)
      }
    })

    it('files are stored with a caption that the agent answers', async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'messenger-one', chats.peer)
      const { id, fields } = fileMessage('messenger-one', chats.peer.url, '9030', {
        caption: 'What is this?',
      })
      chats.peer.files.set(id, PICTURE)
      await channel.post(mediaOf('messenger-one', '9030', fields))
      await file(agent, channel, 'stored')
      await settled(channel)
      const [prompt] = await rowsOf(agent, channel)
      assert.equal(prompt.content, '[image] What is this?')
      assert.ok(prompt.completion_id)
    })

    it('a captioned picture reaches the model, whose prompt waits for it', async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'messenger-one', chats.peer)
      const { id, fields } = fileMessage('messenger-one', chats.peer.url, '9031', { caption: 'And this?' })
      const asked = Promise.withResolvers<ServerResponse>()
      chats.peer.files.set(id, asked.resolve)
      await channel.post(mediaOf('messenger-one', '9031', fields))
      const response = await asked.promise
      await until(async () => (await rowsOf(agent, channel))?.length === 1)
      assert.equal(service.model.requests.length, 0)
      response.end(PICTURE)
      await chats.peer.untilSent(1)
      const content = service.model.requests.at(-1)?.body.messages.at(-1)?.content
      assert.deepEqual(
        (content as { type: string; text?: string }[]).slice(-2).map(({ type, text }) => text ?? type),
        ['[image] And this?', 'image_url'],
      )
    })

    it('pictures without a word are one prompt where they come together, and the model sees all of them', async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'telegram', chats.peer, { debounce_ms: 60_000 })
      for (let number = 9050; number < 9060; number++) {
        const { id, fields } = fileMessage('telegram', chats.peer.url, String(number))
        chats.peer.files.set(id, PICTURE)
        await channel.post(mediaOf('telegram', String(number), { ...fields, media_group_id: '7' }))
      }
      chats.pass(61_000)
      await chats.peer.untilSent(1)
      await settled(channel)
      assert.deepEqual([service.model.requests.length, chats.peer.sent.length], [1, 1])
      const asked = JSON.stringify(service.model.requests[0]?.body)
      assert.equal(asked.split('data:image/jpeg;base64,').length - 1, 10)
      const rows: (Row & { role: string; content: string; completion_id: string })[] = await rowsOf(
        agent,
        channel,
      )
      const prompt = rows.filter(({ role }) => role === 'user')
      assert.deepEqual([...new Set(prompt.map(({ content }) => content))], ['[image]'])
      assert.equal(new Set(prompt.map(({ completion_id }) => completion_id)).size, 1)
      chats.pass(-61_000)
      await channel.says('And now?', { id: '9060' })
      chats.pass(61_000)
      await chats.peer.untilSent(2)
      assert.match(JSON.stringify(service.model.requests.at(-1)?.body), /data:image\/jpeg;base64,/)
      assert.equal((await agent.post(`/users/${PERSON.telegram}/scrub`)).status, 200)
      const scrubbed: { role: string; content: string }[] = await rowsOf(agent, channel)
      assert.equal(scrubbed.filter(({ content }) => content === '[IMAGE]').length, 10)
    })

    it('of a picture that the agent cannot see, its person is told so, and no model is asked', async () => {
      const cases: [string, object, Buffer | null, Record<string, unknown>?][] = [
        ['not fetched', {}, null],
        ['masked', { mask: { types: ['EMAIL_ADDRESS'] } }, PICTURE],
        ['a video', {}, PICTURE, { type: 'video', video: { id: 'media-9063' } }],
      ]
      for (const [at, [name, patch, bytes, other]] of cases.entries()) {
        const number = String(9061 + at)
        const { agent, channel, id, say } = await begin('messenger-one', number)
        assert.equal(
          (await agent.patch('/agent', { unsupported_message: 'Text only.', ...patch })).status,
          200,
        )
        if (bytes) chats.peer.files.set(id, bytes)
        await (other ? channel.post(mediaOf('messenger-one', number, other)) : say())
        await chats.peer.untilSent(1)
        await settled(channel)
        assert.deepEqual(
          chats.peer.sent.splice(0).map(({ text }) => text),
          ['Text only.'],
          name,
        )
        assert.equal(service.model.requests.length, 0, name)
      }
    })

    it('a pause while a voice message is written down stops the turn', async () => {
      await using server = await startTranscriptionServer()
      server.answer = 'hang'
      const transcription = { url: server.url, name: 'whisper', api_key: null }
      const agent = await service.addAgent({ settings: { transcription, pause_message: 'Paused.' } })
      const channel = await addChannel(agent, 'messenger-one', chats.peer)
      chats.peer.files.set('media-9070', Buffer.from(OGG))
      const audio = { type: 'audio', audio: { id: 'media-9070', voice: true } }
      await channel.post(mediaOf('messenger-one', '9070', audio))
      await server.arrived(1)
      assert.equal((await agent.post(`/conversations/${externalId(channel)}/pause`)).status, 200)
      await settled(channel)
      assert.equal(service.model.requests.length, 0)
      const [message] = await rowsOf(agent, channel)
      // What waits for the server to answer would note that it did not.
      assert.equal(message.attachments[0].reason, null)
      const texts = chats.peer.sent.map(({ text }) => text)
      assert.ok(!texts.includes('I can only read text. Please write me what it is about.'), String(texts))
    })

    it('a voice message is written down and answered, and otherwise its person is told', async () => {
      await using server = await startTranscriptionServer()
      server.answer = { body: JSON.stringify({ text: 'The kettle leaks' }) }
      const speak = async (number: string, settings: object, bytes: string) => {
        const agent = await service.addAgent({ settings: { unsupported_message: 'Text only.', ...settings } })
        const channel = await addChannel(agent, 'messenger-one', chats.peer)
        const id = `media-${number}`
        if (bytes !== '') chats.peer.files.set(id, Buffer.from(bytes))
        await channel.post(mediaOf('messenger-one', number, { type: 'audio', audio: { id, voice: true } }))
        await chats.peer.untilSent(1)
        await settled(channel)
        const [message] = await rowsOf(agent, channel)
        const text = chats.peer.sent.splice(0)[0]?.text
        return { content: message.content, transcript: message.attachments[0].transcript, text }
      }
      const transcription = { url: server.url, name: 'whisper', api_key: null }
      const heard = await speak('9032', { transcription }, OGG)
      assert.deepEqual([heard.content, heard.transcript], ['The kettle leaks', 'The kettle leaks'])
      assert.notEqual(heard.text, 'Text only.')
      assert.match(JSON.stringify(service.model.requests.at(-1)?.body), /The kettle leaks/)
      const asked = service.model.requests.length
      for (const [number, settings, bytes] of [
        ['9033', {}, OGG],
        ['9034', { transcription }, ''],
      ] as const) {
        const { content, text } = await speak(number, settings, bytes)
        assert.deepEqual([content, text], ['[voice]', 'Text only.'], number)
      }
      assert.deepEqual([server.requests.length, service.model.requests.length], [1, asked])
    })

    it('a message that is erased while its file comes keeps nothing of it', async () => {
      const { agent, channel, id, say } = await begin('messenger-one', '9040')
      const arrived = Promise.withResolvers<void>()
      const erased = Promise.withResolvers<void>()
      chats.peer.files.set(id, async (response) => {
        response.write(PICTURE.subarray(0, 100))
        arrived.resolve()
        await erased.promise
        response.end(PICTURE.subarray(100))
      })
      await say()
      await arrived.promise
      assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
      erased.resolve()
      await until(async () => {
        const rows = await database()
          .db.selectFrom('file_fetches')
          .select('id')
          .where('agent_id', '=', agent.agentId)
          .execute()
        return rows.length === 0
      })
      const deleted = await file(agent, channel, 'deleted')
      await until(async () => (await pieces(deleted.id)).length === 0)
      assert.equal((await read(agent, channel, deleted.id)).status, 404)
    })

    it('a caption that its person edits is changed, and the picture stays', async () => {
      const caption = 'My pin is 1234'
      const { agent, channel, id, say } = await begin('messenger-one', '9042', { caption })
      chats.peer.files.set(id, PICTURE)
      await say()
      const stored = await file(agent, channel, 'stored')
      await settled(channel)
      const message = { type: 'image', image: { id, caption: 'What is this?' } }
      const edit = { original_message_id: 'wamid.9042', message }
      const sent = { id: 'wamid.edit-9042', from: PERSON['messenger-one'], type: 'edit', edit }
      const value = { metadata: { phone_number_id: '106540352242922' }, messages: [sent] }
      await channel.post({ entry: [{ changes: [{ field: 'messages', value }] }] })
      await settled(channel)
      const [row] = await rowsOf(agent, channel)
      assert.deepEqual([row.content, row.attachments[0].state], ['[image] What is this?', 'stored'])
      assert.equal((await read(agent, channel, stored.id)).status, 200)
    })

    it('a message that its person withdraws loses its file', async () => {
      const { agent, channel, id, say } = await begin('messenger-three', '9041')
      chats.peer.files.set(id, PICTURE)
      await say()
      const stored = await file(agent, channel, 'stored')
      await settled(channel)
      const unsend = {
        type: 'unsend',
        mode: 'active',
        timestamp: Date.now(),
        webhookEventId: '01Hunsend9041',
        source: { type: 'user', userId: PERSON['messenger-three'] },
        unsend: { messageId: '9041' },
      }
      await channel.post({ destination: `U${'0'.repeat(31)}1`, events: [unsend] })
      await file(agent, channel, 'deleted')
      assert.equal((await read(agent, channel, stored.id)).status, 404)
      await until(async () => (await pieces(stored.id)).length === 0)
    })
  },
  { PARLEY_FILE_LIMIT: String(LIMIT) },
)
