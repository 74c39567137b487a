import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultSettings } from '../../../src/agents/settings.ts'
import { up } from '../../../src/storage/migrations/0144-keys-in-runs.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

for (const engine of engines)
  describe(`the migration of test runs with keys on ${engine}`, () => {
    it('removes the keys, and leaves everything else', async () => {
      const database = await openFreshDatabase(engine)
      const transcription = { ...defaultSettings.transcription, url: 'https://a.example', api_key: 'sealed' }
      const settings = [
        { ...defaultSettings, transcription },
        defaultSettings,
        { model: defaultSettings.model, synonyms: [['transcription', 'transcript']] },
      ]
      const at = '2026-01-01T00:00:00.000Z'
      for (const one of settings)
        await database.db
          .insertInto('test_runs')
          .values({
            ...{ agent_id: 1, dataset_id: 1, state: 'done', evaluators: '[]', total: 1, created_at: at },
            settings: JSON.stringify(one),
          } as never)
          .execute()
      await up(database.db)
      const kept = await database.db.selectFrom('test_runs').select('settings').orderBy('id').execute()
      assert.deepEqual(
        kept.map(({ settings }) => JSON.parse(settings)),
        [{ ...defaultSettings, transcription: { ...transcription, api_key: null } }, ...settings.slice(1)],
      )
      await database.close()
      await database.fresh.remove()
    })
  })
