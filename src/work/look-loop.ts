import { acrossAgents } from '../lib/agent-scope.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import { type Begin, beginNow } from '../lib/pacing/one-by-one.ts'
import { inTrace } from '../lib/tracing/tracing.ts'
import type { WakeUps } from '../storage/wake-ups.ts'

export interface LookLoopOptions {
  /** The name by which the log calls the work. */
  name: string
  wakeUps: Pick<WakeUps, 'listen'>
  logger: { warn(about: { error: FailureDescription }, message: string): void }
  /** Wake-ups after which it looks at once. */
  topics?: readonly string[]
  /** Frequent wake-ups: one look answers all that come close together. */
  frequentTopics?: readonly string[]
  /** The interval of looks without a wake-up. A wake-up may be lost, and some reach only their own process. */
  everyMs?: number
}

/** Looks for work on request and at intervals. */
export interface LookLoop {
  /**
   * Listens to wake-ups, and looks for the first time.
   * @param inTurn begins the first look, unless a wake-up does it before
   */
  start(inTurn?: Begin): void
  /** Looks soon, once for all calls until then. */
  lookSoon(): void
  /** Waits for the look under way and begins no other. */
  stop(): Promise<void>
}

const EVERY_MS = 1000
const GATHER_MS = 3

/**
 * Calls `look` again and again, never twice at once: a request during a look leads to another look after it. A failure
 * is logged, and the next look comes at its usual time.
 * @param look its signal fires when the loop stops
 * @param untilNext called when no look is requested; returns the milliseconds until there will be something to do
 */
export function lookLoop(
  { name, wakeUps, logger, topics = [], frequentTopics = [], everyMs = EVERY_MS }: LookLoopOptions,
  look: (stopping: AbortSignal) => Promise<void>,
  untilNext: () => Promise<number | undefined> = async () => undefined,
): LookLoop {
  const stopping = new AbortController()
  let unlisten: (() => void)[] = []
  let isAsked = false
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined

  function ask(): void {
    isAsked = true
    // Work belongs neither to the trace nor to the agent of the request that happened to wake the loop.
    if (!stopping.signal.aborted)
      looking ??= inTrace(null, () =>
        acrossAgents('one query looks for the work of all agents', lookWhileAsked),
      )
  }

  async function lookWhileAsked(): Promise<void> {
    clearTimeout(timer)
    let pause: number | undefined
    try {
      while (isAsked && !stopping.signal.aborted) {
        isAsked = false
        await look(stopping.signal)
        if (!isAsked) pause = await untilNext()
      }
    } catch (error) {
      logger.warn({ error: describeFailure(error) }, `${name} cannot be looked for`)
    }
    // No `await` stands between the last check of `isAsked` and here, so no request is lost.
    looking = null
    if (stopping.signal.aborted) return
    timer = setTimeout(ask, Math.min(pause ?? everyMs, everyMs))
    timer.unref()
  }

  function lookSoon(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined
      ask()
    }, GATHER_MS).unref()
  }

  return {
    start(inTurn = beginNow) {
      unlisten = [
        ...topics.map((topic) => wakeUps.listen(topic, ask)),
        ...frequentTopics.map((topic) => wakeUps.listen(topic, lookSoon)),
      ]
      inTurn(async () => {
        ask()
        await looking
      })
    },
    lookSoon,
    async stop() {
      stopping.abort()
      for (const stop of unlisten) stop()
      clearTimeout(timer)
      clearTimeout(gathering)
      await looking
    },
  }
}
