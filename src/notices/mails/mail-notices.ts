import { type RunningWork, runTogether } from '../../work/run-work.ts'
import { mailDigests } from './mail-digests.ts'
import type { NoticeMailDependencies } from './mail-letters.ts'
import { mailUnread } from './mail-unread.ts'

/** Mails people what they have not read: after a while, and once a day. */
export function mailNotices(dependencies: NoticeMailDependencies): RunningWork {
  return runTogether([mailUnread(dependencies), mailDigests(dependencies)])
}
