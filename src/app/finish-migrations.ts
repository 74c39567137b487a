import type { RedactionWork } from '../redaction/redaction-work.ts'
import { type BackfillWork, runBackfills } from '../storage/backfills.ts'
import { removeData } from '../transcripts/redaction/remove-data.ts'
import { forgetCopies } from './forget-copies.ts'

/** Does all that migrations have left to the background, and goes on where it or another process stood. */
export async function finishMigrations(
  work: BackfillWork & { redactionWork: Pick<RedactionWork, 'run'> },
): Promise<void> {
  await runBackfills(work)
  await removeData({ ...work, forgetCopies })
}
