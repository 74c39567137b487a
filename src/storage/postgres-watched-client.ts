import { PlanKeepingClient } from './postgres-plan-keeping.ts'

/** A connection that tells how long it has been waiting for an answer, and can be thrown away while it does. */
export class WatchedClient extends PlanKeepingClient {
  /** The server's process behind it; null until that is known. */
  backend: number | null = null
  #unanswered = 0
  #since = 0

  // biome-ignore lint/suspicious/noExplicitAny: it answers as the form of pg's call does that was asked
  override query(...given: unknown[]): any {
    const answer = (super.query as (...given: unknown[]) => unknown).apply(this, given)
    if (answer instanceof Promise) this.#watch(answer)
    return answer
  }

  #watch(answer: Promise<unknown>): void {
    if (this.#unanswered++ === 0) this.#since = performance.now()
    const answered = () => {
      this.#unanswered--
      this.#since = performance.now()
    }
    answer.then(answered, answered)
  }

  /** Milliseconds; 0 when no answer is outstanding. */
  get waiting(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#since
  }

  /** Fails what waits for it, without a word to a server that may not hear. */
  destroy(): void {
    this.connection.stream.destroy()
  }
}
