import type { Scope } from '../http/scope.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import type { Clock } from '../lib/clock.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import type { WakeUps } from '../storage/wake-ups.ts'
import { askSoon } from './ask-soon.ts'
import type { Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'
import { eventText, unplaced } from './unplaced.ts'

/** The unread notices of a person. */
interface UnreadNotices {
  count: number
  /** Changes with them. */
  mark: string
}

export interface NoticesOfPeople {
  /** The topic of wake-ups after which it may have changed. */
  topic: string
  /** Reads what is unread of some people's notices; those without any are absent. */
  unreadOf(
    people: readonly { operatorId: number; scope: Scope | null }[],
  ): Promise<Map<number, UnreadNotices>>
}

interface Dependencies {
  wakeUps: Pick<WakeUps, 'listen'>
  clock: Clock
  logger: { warn(about: { error: FailureDescription }, message: string): void }
  listeners: Listeners
  notices: NoticesOfPeople
}

/** Changes in this time are told once. */
const GATHER_MS = 200

/** Tells people who listen, to whichever agent, how many notices they have not read, when that has changed. */
export function noticeCounts({ wakeUps, clock, logger, listeners, notices }: Dependencies) {
  const sent = new WeakMap<Listener, string>()
  const telling = askSoon(tellAll, GATHER_MS, (error) =>
    logger.warn({ error: describeFailure(error) }, 'people could not be told of their notices'),
  )
  let unlisten = () => {}

  async function tellAll(): Promise<void> {
    const theirs = [...listeners.all].filter(({ subscription }) => subscription.operatorId !== null)
    const scopes = new Map(
      theirs.map(({ subscription, scope }) => [subscription.operatorId as number, scope]),
    )
    const people = [...scopes].map(([operatorId, scope]) => ({ operatorId, scope }))
    const unread = await acrossAgents('a person is told of the notices of all agents', () =>
      notices.unreadOf(people),
    )
    for (const listener of theirs) {
      const { count, mark } = unread.get(listener.subscription.operatorId as number) ?? {
        count: 0,
        mark: '',
      }
      if (sent.get(listener) === mark) continue
      sent.set(listener, mark)
      listener.pass(Buffer.from(eventText({ ...unplaced('notices', null, clock()), unread: count })))
    }
  }

  return {
    /** Looks soon whether what is unread has changed. */
    changed: telling.ask,
    start(): void {
      unlisten = wakeUps.listen(notices.topic, telling.ask)
    },
    close(): void {
      unlisten()
      telling.close()
    },
  }
}
