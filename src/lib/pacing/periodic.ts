import { describeFailure, type FailureDescription } from '../describe-failure.ts'
/** Work that is done every so often. */
export interface Periodic {
  /** Does it now and from then on. */
  start(): void
  /** Does it once more, after what is under way; a failure is logged. */
  run(): Promise<void>
  /** Asks what is under way to end, and waits for it. */
  stop(): Promise<void>
}

/** What is told of failures. */
interface Log {
  warn(about: { error: FailureDescription }, message: string): void
}

/**
 * Does some work every so often, one run at a time. A run that fails is logged, and the next one comes anyway.
 * @param work given a signal that asks it to end early
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
    start() {
      void run()
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
