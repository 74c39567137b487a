import { SUPPORT_RETRIES } from '../../src/analytics/support/retry-store.ts'
import { SNOOZES } from '../../src/desk/snooze/store.ts'
import { FETCHES } from '../../src/files/fetches/store.ts'
import { BULK_ACTS } from '../../src/inbox/bulk/start-bulk.ts'
import { PROPOSALS } from '../../src/learning/proposal-store.ts'
import { MAILBOXES } from '../../src/mailboxes/topics.ts'
import { NOTICE_MAILS } from '../../src/notices/mails/store.ts'
import { NOTICE_PUSHES } from '../../src/notices/pushes/store.ts'
import { DIGESTS } from '../../src/notices/settings-store.ts'
import { MAILS } from '../../src/operators/mails/store.ts'
import { AUTOMATIONS } from '../../src/rules/topics.ts'
import { CLOCKS, RECOUNTS } from '../../src/targets/store.ts'
import { AWAY } from '../../src/transcripts/conversations/away-store.ts'
import { SUMMARIES } from '../../src/turns/history/summary-store.ts'

/** The topics of the wake-ups that have policies of work look at once. */
export const TOPICS = [
  BULK_ACTS,
  AWAY,
  SNOOZES,
  CLOCKS,
  RECOUNTS,
  SUPPORT_RETRIES,
  FETCHES,
  SUMMARIES,
  PROPOSALS,
  MAILS,
  NOTICE_PUSHES,
  NOTICE_MAILS,
  DIGESTS,
  MAILBOXES,
  AUTOMATIONS,
]
