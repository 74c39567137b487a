import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Removes the keys of transcription servers from test runs, which keep no key. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const runs = await db
    .selectFrom('test_runs')
    .select(['id', 'settings'])
    .where('settings', 'like', '%"transcription"%')
    .execute()
  for (const { id, settings } of runs) {
    const { transcription, ...others } = JSON.parse(settings)
    // Older runs have no such setting, and the word elsewhere.
    if (!transcription?.api_key) continue
    const without = JSON.stringify({ ...others, transcription: { ...transcription, api_key: null } })
    await db.updateTable('test_runs').set({ settings: without }).where('id', '=', id).execute()
  }
}
