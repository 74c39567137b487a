import assert from 'node:assert/strict'
import { after, afterEach, it } from 'node:test'
import JSZip from 'jszip'
import sharp from 'sharp'
import { keepsFiles } from '../../src/files/keep-file.ts'
import { openPlaces } from '../../src/files/places/open-places.ts'
import { removeFilesOf, removeGivenUp } from '../../src/files/remove-files.ts'
import { createOutbound, parsePrivateTargets } from '../../src/lib/outbound/outbound.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { placesInDatabase } from '../support/places-in-database.ts'
import { startS3Peer } from '../support/s3-peer.ts'
import { sendFile, upload } from '../support/upload.ts'

const store = await startS3Peer()
after(() => store[Symbol.asyncDispose]())
const http = createOutbound({ privateTargets: parsePrivateTargets('') }).of(null)
const LARGE = Buffer.alloc(6 * 1024 * 1024 + 5, 'a file of more than five megabytes ')

onBothEngines(
  'attachments in a store',
  (service) => {
    afterEach(() => {
      store.inPlace = null
      store.objects.clear()
    })
    async function begin() {
      const agent = await service.addAgent()
      const { id: completion, conversation_id: conversation } = await agent.prompt('Where is my invoice?')
      const read = (id: string, headers: Record<string, string> = {}, query = '') =>
        fetch(`${agent.baseUrl}/conversations/${conversation}/attachments/${id}${query}`, {
          headers: { ...agent.headers, ...headers },
        })
      return { agent, completion, conversation, read }
    }
    const db = () => service.app.app.foundation.database.db
    const places = () => openPlaces(db(), service.app.app.foundation.config.files, http)
    const remove = (agentId: number) =>
      removeGivenUp({ db: db(), places: places() }, agentId, new Date().toISOString())
    /** Returns the ends of the names of an agent's objects. */
    const objectsOf = (agentId: number) =>
      [...store.objects.keys()].flatMap((name) => name.split(`of/messages/${agentId}/`)[1] ?? []).sort()
    const rowsOf = (table: 'files' | 'file_pieces', { agentId }: TestAgent) =>
      db().selectFrom(table).select('agent_id').where('agent_id', '=', agentId).execute()
    const cut = () => {
      store.inPlace = (request) => request.destroy() !== undefined
    }

    it('POST 201 and GET 200, 206: a file of any size is in the store, whole and in ranges', async () => {
      const { agent, conversation, read } = await begin()
      const { file } = await sendFile(agent, conversation, 'large.bin', Uint8Array.from(LARGE))
      const small = await sendFile(agent, conversation, 'small.txt', 'small')
      assert.deepEqual(objectsOf(agent.agentId), [`${file.id}/kept`, `${small.file.id}/kept`])
      assert.deepEqual([await rowsOf('file_pieces', agent), store.uploads.size], [[], 0])
      assert.equal(file.bytes, LARGE.length)
      assert.ok(Buffer.from(await (await read(file.id)).arrayBuffer()).equals(LARGE))
      assert.equal(await (await read(small.file.id)).text(), 'small')
      for (const [range, from, to] of [
        ['bytes=0-4', 0, 5],
        ['bytes=1048570-2097160', 1_048_570, 2_097_161],
        ['bytes=-6', LARGE.length - 6, LARGE.length],
      ] as const) {
        const part = await read(file.id, { range })
        assert.equal(part.status, 206, range)
        assert.ok(Buffer.from(await part.arrayBuffer()).equals(LARGE.subarray(from, to)), range)
      }
    })

    it('POST 201: a picture has its small copy there, and not the one that was sent', async () => {
      const { agent, conversation, read } = await begin()
      const picture = sharp({ create: { width: 900, height: 300, channels: 3, background: '#c04020' } })
      const sent = Uint8Array.from(await picture.jpeg().toBuffer())
      const { file } = await sendFile(agent, conversation, 'photo.jpg', sent)
      assert.deepEqual(objectsOf(agent.agentId), [`${file.id}/kept`, `${file.id}/preview`])
      const preview = Buffer.from(await (await read(file.id, {}, '?preview=true')).arrayBuffer())
      assert.equal((await sharp(preview).metadata()).width, 640)
    })

    it('files stay where they were when the setting changes', async () => {
      const { agent, conversation, read } = await begin()
      const { agentId, teamId } = agent
      const inDatabase = placesInDatabase(db())
      const keepFile = keepsFiles({ db: db(), clock: Date.now, places: inDatabase })
      const owner = { agentId, teamId, conversationId: conversation }
      const pieces = async function* () {
        yield Buffer.from('older')
      }
      const { id } = await keepFile(owner, 'older.txt', pieces())
      const path = `/conversations/${conversation}/messages`
      assert.equal((await agent.post(path, { attachments: [id] })).status, 200)
      assert.deepEqual([objectsOf(agentId), await (await read(id)).text()], [[], 'older'])
      const { file } = await sendFile(agent, conversation, 'newer.txt', 'newer')
      const { place } = await db()
        .selectFrom('files')
        .select('place')
        .where('id', '=', file.id)
        .executeTakeFirstOrThrow()
      assert.equal(place, store.settings.PARLEY_FILES_URL)
      const { key, secret } = service.app.app.foundation.config.files
      const without = openPlaces(db(), { url: null, key, secret }, http)
      const bytes = await Array.fromAsync(
        without.read({ id: file.id, agent_id: agentId, place }, 'kept', 0, 5),
      )
      assert.equal(String(Buffer.concat(bytes)), 'newer')
      // Without the keys they cannot be read, and nothing breaks.
      const keyless = openPlaces(db(), { url: null, key: null, secret: null }, http)
      await assert.rejects(keyless.remove({ id: file.id, agent_id: agentId, place }), { code: 'unavailable' })
    })

    it('POST 503: nothing is left of a file that the store did not take', async () => {
      const { agent, conversation } = await begin()
      const sizes = ['a', Uint8Array.from(LARGE)]
      for (const content of sizes) {
        // The second part of the large one fails.
        let puts = 0
        store.inPlace = ({ method }, response) =>
          method === 'PUT' &&
          ++puts >= sizes.indexOf(content) + 1 &&
          response.writeHead(500).end() !== undefined
        const { status, body } = await upload(agent, conversation, { 'a.bin': content })
        assert.deepEqual([status, body.error.code], [503, 'unavailable'])
        assert.equal(body.error.message, 'The store of files does not work at the moment. Try again later.')
      }
      store.inPlace = null
      await remove(agent.agentId)
      assert.deepEqual(
        [await rowsOf('files', agent), objectsOf(agent.agentId), store.uploads.size],
        [[], [], 0],
      )
    })

    it('what fails for a moment is tried again', async () => {
      const { agent, conversation, read } = await begin()
      for (const fail of [503, 'cut'] as const) {
        let times = 0
        store.inPlace = (request, response) =>
          ++times === 1 &&
          (fail === 'cut'
            ? request.destroy()
            : response.writeHead(fail).end('<Error><Code>SlowDown</Code></Error>')) !== undefined
        const { file } = await sendFile(agent, conversation, 'a.txt', 'at last')
        assert.equal(await (await read(file.id)).text(), 'at last')
      }
    })

    it('GET 503: while the store does not answer; 404 when the bytes are gone', async () => {
      const { agent, conversation, read } = await begin()
      const { file } = await sendFile(agent, conversation, 'a.txt', 'there')
      cut()
      assert.equal((await read(file.id)).status, 503)
      store.inPlace = null
      assert.equal((await read(file.id)).status, 200)
      store.objects.delete(`of/messages/${agent.agentId}/${file.id}/kept`)
      assert.equal((await read(file.id)).status, 404)
    })

    for (const mode of ['scrub', 'anonymize'] as const)
      it(`${mode} 503: texts are redacted while the store does not answer; the receipt comes with the last byte`, async () => {
        const { agent, completion, conversation } = await begin()
        const { file } = await sendFile(agent, conversation, 'Rebhuhn.txt', 'Rebhuhn')
        const path = `/chat/completions/${completion}`
        cut()
        assertError(await agent.post(`${path}/${mode}`), 503, 'unavailable')
        const [message] = (await agent.get(`/conversations/${conversation}/messages?order=desc`)).body.data
        assert.deepEqual([message.content, message.attachments[0].state], ['[FILE]', 'deleted'])
        assertError(await agent.post(`${path}/${mode}`), 503, 'unavailable')
        assertError(await agent.get(`${path}/erasure`), 404, 'erasure_not_found')
        assert.deepEqual(objectsOf(agent.agentId), [`${file.id}/kept`])
        store.inPlace = null
        const { status, body } = await agent.post(`${path}/${mode}`)
        assert.deepEqual([status, body.data.remaining, objectsOf(agent.agentId)], [200, 0, []])
        const { receipt } = (await agent.get(`${path}/erasure`)).body.data
        assert.equal(receipt.erased.files, 1)
      })

    it('a store that does not answer keeps no other file', async () => {
      const { agent, conversation } = await begin()
      const { agentId, teamId } = agent
      const owner = { agentId, teamId, conversationId: conversation }
      const pieces = async function* () {
        yield Buffer.from('kept')
      }
      for (const where of [places(), placesInDatabase(db())])
        await keepsFiles({ db: db(), clock: Date.now, places: where })(owner, 'a.txt', pieces())
      cut()
      const counts: number[] = []
      const removing = () =>
        removeFilesOf({ db: db(), places: places() }, agentId, async (n) => void counts.push(n))
      await assert.rejects(removing(), { code: 'unavailable' })
      assert.deepEqual([counts, (await rowsOf('files', agent)).length], [[1], 1])
      store.inPlace = null
      assert.equal(await removing(), 1)
      assert.deepEqual([counts, objectsOf(agentId)], [[1, 1], []])
    })

    it('exports with files=true read the store', async () => {
      const { agent, conversation } = await begin()
      const { file } = await sendFile(agent, conversation, 'a.txt', 'exported')
      const response = await fetch(`${agent.baseUrl}/export?files=true`, { headers: agent.headers })
      const archive = await JSZip.loadAsync(await response.arrayBuffer(), { checkCRC32: true })
      assert.equal(await archive.file(`files/${file.id}-a.txt`)?.async('string'), 'exported')
    })
  },
  store.settings,
)
