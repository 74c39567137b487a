import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { WakeUps } from '../storage/wake-ups.ts'
import { isPausedIn, pausedEverywhereTopic, pausedTopic } from '../transcripts/conversations/pause-state.ts'

/** The signal that ends the work on a prompt. */
interface Stop extends Disposable {
  readonly signal: AbortSignal
}

/** Another place that reports that people have taken over a conversation, before it stores anything of it. */
export interface ReportedTakeover {
  /** The topic on which processes hear of a report. */
  topic: string
  /** Tells whether the report is of a takeover. */
  isTakenOver: () => Promise<boolean>
}

/**
 * The first and the longest wait between looks at the state. A wake-up alone is not enough: it may be lost, or come
 * between the start of a turn and the moment at which the signal begins to listen.
 */
export const FIRST_LOOK_MS = 500
const LONGEST_PAUSE_MS = 8_000

/**
 * Returns a signal that fires when the agent is paused in a conversation or everywhere, by any process, or when the
 * client has left. It listens until it is disposed of.
 */
export function stopWhenPaused(
  { db, listen }: { db: Kysely<Tables>; listen: WakeUps['listen'] },
  { conversationId, agentId }: { conversationId: string; agentId: number },
  left: AbortSignal,
  reported?: ReportedTakeover,
): Stop {
  const stop = new AbortController()
  const abort = () => stop.abort(left.reason)
  const unlisten = [
    listen(pausedTopic(conversationId), abort),
    listen(pausedEverywhereTopic(agentId), abort),
    ...(reported ? [listen(reported.topic, () => void look(reported.isTakenOver))] : []),
  ]
  // `AbortSignal.any` would cost as much as several queries.
  if (left.aborted) abort()
  else left.addEventListener('abort', abort)

  /** Stops when the state says so. A state that cannot be read is read again at the next look. */
  async function look(isPaused: () => Promise<boolean>): Promise<void> {
    if (!stop.signal.aborted && (await isPaused().catch(() => false))) abort()
  }

  let timer: NodeJS.Timeout | undefined
  const lookIn = (ms: number) => {
    timer = setTimeout(async () => {
      await look(
        async () => (await isPausedIn(db, conversationId)) || (await reported?.isTakenOver()) === true,
      )
      if (!stop.signal.aborted && timer) lookIn(Math.min(2 * ms, LONGEST_PAUSE_MS))
    }, ms)
  }
  lookIn(FIRST_LOOK_MS)

  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      timer = undefined
      for (const end of unlisten) end()
      left.removeEventListener('abort', abort)
    },
  }
}
