import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../../src/storage/database.ts'
import { becomes } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { startS3Peer } from '../support/s3-peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { upload } from '../support/upload.ts'

const LARGE = new Uint8Array(6 * 1024 * 1024)

for (const engine of engines)
  describe(`kill -9 while files reach their store, on ${engine}`, () => {
    it('no message has a file without bytes, and what was written is removed', async () => {
      await using store = await startS3Peer()
      const database = await databaseWithAgent(engine)
      const env = settingsOn(database, store.settings)
      let service = await startService(env)
      const agentOf = firstAgentOf(service)
      const agent = agentOf(service)
      const { conversation_id: conversation } = await agent.prompt('Hello')
      // Both are written, and the service never hears of it: the object of one, and the first part of the other.
      store.isUnanswered = ({ method }) => method === 'PUT'
      const uploads = ['small', LARGE].map((content) =>
        assert.rejects(upload(agent, conversation, { 'a.bin': content })),
      )
      const written = () => [store.objects.size, [...store.uploads.values()].map(({ parts }) => parts.size)]
      await becomes(written, [1, [1]])
      await service.end('SIGKILL')
      await Promise.all(uploads)
      store.isUnanswered = null
      const opened = await openDatabase(database)
      const rows = await opened.db.selectFrom('files').select(['message_id', 'attachment']).execute()
      const unfinished = { message_id: null, attachment: null }
      assert.deepEqual(rows, [unfinished, unfinished])
      // The hour is over for which an upload may take.
      await opened.db.updateTable('files').set({ remove_at: '2026-01-01T00:00:00.000Z' }).execute()
      await opened.close()

      service = await startService(env)
      await becomes(written, [0, []])
      const { body } = await agentOf(service).get(`/conversations/${conversation}/messages`)
      assert.ok(body.data.every(({ attachments }: { attachments: unknown }) => attachments === null))
      assert.equal((await service.end('SIGTERM')).code, 0)
      await database.remove()
    })
  })
