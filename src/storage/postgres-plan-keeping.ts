import pg from 'pg'
import { nameOfPrepared } from './prepared.ts'

/**
 * A connection that keeps the plans of prepared queries, because planning a small query takes longer than running it.
 * When a newer version of Parley changes a table underneath, the connection plans each query anew from then on.
 */
export class PlanKeepingClient extends pg.Client {
  #keepsPlans = true

  // biome-ignore lint/suspicious/noExplicitAny: it answers as the form of pg's call does that was asked
  override query(...given: unknown[]): any {
    const [text, values] = given as [unknown, unknown[]?]
    const name = this.#keepsPlans && typeof text === 'string' ? nameOfPrepared(text) : undefined
    if (name === undefined || typeof text !== 'string')
      return super.query(...(given as Parameters<pg.Client['query']>))
    return super.query({ name, text, values: values ?? [] }).catch((error: unknown) => {
      if (isStalePlan(error)) this.#keepsPlans = false
      throw error
    })
  }
}

/** Whether a query failed because its table has changed since it was planned. The next try plans the query anew. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return code === '0A000' && String(message).startsWith('cached plan')
}
