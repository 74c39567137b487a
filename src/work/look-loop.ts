import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import { inTrace } from '../lib/tracing.ts'
import type { WakeUps } from '../storage/wake-ups.ts'

export interface LookLoopOptions {
  /** What is looked for, as a log names it. */
  name: string
  wakeUps: Pick<WakeUps, 'listen'>
  logger: { warn(about: { error: FailureDescription }, message: string): void }
  /** Wake-ups after which it looks at once. */
  topics?: readonly string[]
  /** Wake-ups that come often: those that come close together are one look. */
  frequentTopics?: readonly string[]
  /** How often it looks without being told. A wake-up may be lost, and some reach only their own process. */
  everyMs?: number
}

/** Looks for work when it is told to, and regularly without being told. */
export interface LookLoop {
  start(): void
  look(): void
  /** Looks in a moment, once for all who ask until then. */
  lookSoon(): void
  /** Begins no further look, and waits for the one under way. */
  stop(): Promise<void>
}

const EVERY_MS = 1000
const GATHER_MS = 3

/**
 * Calls `look` again and again, never twice at once: what is asked for during a look is the next one. A look that fails
 * is logged, and the next one waits for its time.
 * @param look its signal fires when the loop stops
 * @param untilNext tells, once nobody asks any more, after how many milliseconds there will be something to look for
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
    // A worker has nothing to do with the request that happened to wake it.
    if (!stopping.signal.aborted) looking ??= inTrace(null, lookWhileAsked)
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
    // In the same breath as the last check of `isAsked`: nobody asks in between.
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
    start() {
      unlisten = [
        ...topics.map((topic) => wakeUps.listen(topic, ask)),
        ...frequentTopics.map((topic) => wakeUps.listen(topic, lookSoon)),
      ]
      ask()
    },
    look: ask,
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
