import type { RunningWork } from '../../work/run-work.ts'
import { mailDigests } from './mail-digests.ts'
import type { NoticeMailDependencies } from './mail-letters.ts'
import { mailUnread } from './mail-unread.ts'

/** Mails people what they have not read: after a while, and once a day. */
export function mailNotices(dependencies: NoticeMailDependencies): RunningWork {
  const works = [mailUnread(dependencies), mailDigests(dependencies)]
  return {
    start: () => works.forEach((work) => void work.start()),
    stop: async (limitMs) => void (await Promise.all(works.map((work) => work.stop(limitMs)))),
    running: () => works.reduce((sum, work) => sum + work.running(), 0),
  }
}
