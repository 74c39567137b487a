import type { AgentScope } from '../../lib/agent-scope.ts'
import { noteFailure } from './postgres-failures.ts'
import { PlanKeepingClient } from './postgres-plan-keeping.ts'

/**
 * A connection that sends the queries of one turn in one packet, knows how long it has been waiting for an answer, and
 * can be destroyed while it waits.
 */
export class WatchedClient extends PlanKeepingClient {
  /** The id of the server process behind the connection; null until it is known. */
  backend: number | null = null
  /** The agents whose rows the session reaches; null when that is not known. */
  scope: AgentScope | null = null
  #unanswered = 0
  #since = 0
  #isGathering = false

  // biome-ignore lint/suspicious/noExplicitAny: it answers as the form of pg's call does that was asked
  override query(...given: unknown[]): any {
    this.#gather()
    const answer = (super.query as (...given: unknown[]) => unknown).apply(this, given)
    if (answer instanceof Promise) this.#watch(answer)
    return answer
  }

  /** Sends the queries of one turn of the event loop in one packet. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  #watch(answer: Promise<unknown>): void {
    if (this.#unanswered++ === 0) this.#since = performance.now()
    const answered = () => {
      this.#unanswered--
      this.#since = performance.now()
    }
    answer.then(answered, (error) => {
      noteFailure(error)
      answered()
    })
  }

  /** The time for which the connection has been waiting, in milliseconds; 0 when no answer is outstanding. */
  get waiting(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#since
  }

  /** Fails the queries that wait, and sends nothing to a server that may not be listening. */
  destroy(): void {
    this.connection.stream.destroy()
  }
}
