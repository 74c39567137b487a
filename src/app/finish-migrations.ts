import { removeData } from '../privacy/remove-data.ts'
import type { RedactionWork } from '../redaction/redaction-work.ts'
import { type BackfillWork, runBackfills } from '../storage/backfills.ts'
import { forgetCopies } from './forget-copies.ts'

/** Completes the backfills that migrations left to the background, resuming where this or another process stopped. */
export async function finishMigrations(
  work: BackfillWork & { redactionWork: Pick<RedactionWork, 'run'> },
): Promise<void> {
  await runBackfills(work)
  await removeData({ ...work, forgetCopies })
}
