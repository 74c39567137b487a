import type { Attempt } from './send-delivery.ts'
import type { EndedDelivery } from './settle-deliveries.ts'

/** The attempts of a lane: those under way, and those that ended and are not stored yet. */
interface Attempts {
  /** Returns the number of attempts under way. */
  underWay(): number
  /** Returns the attempts that ended and are not stored yet, in the order in which they ended. */
  ended(): readonly EndedDelivery[]
  /** Begins the attempt of a delivery. An attempt that throws has failed. */
  begin(id: number, attempt: () => Promise<Attempt>): void
  /** Drops ended attempts that are stored, or that the caller will store. */
  drop(ended: readonly EndedDelivery[]): void
  /** Resolves after an attempt has ended or `nudge` was called. May resolve without either. */
  news(): Promise<void>
  nudge(): void
  /** Waits briefly, so that attempts that end at about the same time are stored together. */
  gather(): Promise<void>
}

/** Attempts that end within this time are stored together. It saves statements and is short beside an HTTP request. */
const GATHER_MS = 3

export function openAttempts(): Attempts {
  let underWay = 0
  let ended: readonly EndedDelivery[] = []
  let news = Promise.withResolvers<void>()
  let allEnded = Promise.withResolvers<void>()

  function end(id: number, attempt: Attempt): void {
    underWay--
    ended = [...ended, { id, attempt }]
    news.resolve()
    if (underWay === 0) allEnded.resolve()
  }

  return {
    underWay: () => underWay,
    ended: () => ended,
    begin(id, attempt) {
      if (underWay++ === 0) allEnded = Promise.withResolvers()
      const failed = (): Attempt => ({
        state: 'failed',
        status: null,
        failure: 'internal',
        durationMs: 0,
        answer: null,
      })
      void attempt()
        .catch(failed)
        .then((attempt) => end(id, attempt))
    },
    drop(dropped) {
      ended = ended.filter((one) => !dropped.includes(one))
    },
    async news() {
      await news.promise
      news = Promise.withResolvers()
    },
    nudge: () => news.resolve(),
    async gather() {
      if (underWay === 0) return
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, GATHER_MS)
      await Promise.race([allEnded.promise, late.promise])
      clearTimeout(timer)
    },
  }
}
