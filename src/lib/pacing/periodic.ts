import { describeFailure, type FailureDescription } from '../describe-failure.ts'
import { type Begin, beginNow } from './one-by-one.ts'

/** Work that is repeated at an interval. */
export interface Periodic {
  /**
   * Does the work when its turn comes, and then at each interval.
   * @param inTurn begins the first run; null: that waits for the interval
   */
  start(inTurn?: Begin | null): void
  /** Does the work once more, after any run under way. Logs a failure. */
  run(): Promise<void>
  /** Asks the run under way to end, and waits for it. */
  stop(): Promise<void>
}

/** The log that failures go to. */
interface Log {
  warn(about: { error: FailureDescription }, message: string): void
}

/**
 * Repeats some work at an interval, one run at a time. A run that fails is logged and does not stop later ones.
 * @param work is given a signal that asks it to end early
 */
export function periodic(
  { name, everyMs, logger }: { name: string; everyMs: number; logger: Log },
  work: (signal: AbortSignal) => Promise<void>,
): Periodic {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  const run = () => {
    running = running
      .then(() => work(stopping.signal))
      .catch((error: Error) => logger.warn({ error: describeFailure(error) }, `${name} failed`))
    return running
  }
  return {
    run,
    start(inTurn = beginNow) {
      inTurn?.(async () => {
        if (!stopping.signal.aborted) await run()
      })
      timer = setInterval(run, everyMs)
      timer.unref()
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
