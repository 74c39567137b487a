import { atMostEach } from '../lib/pacing/at-most.ts'
import type { Engine } from './engine.ts'

/**
 * Lets so many transactions of one agent run at once; the others wait without a connection.
 * @param tooLate makes the error for one whose turn does not come within `limitMs`
 */
export function turnsOfAgents(most: number, limitMs: number, tooLate: () => Error): Engine['inTurnOfAgent'] {
  const inTurn = atMostEach<number>(most)
  return (agentId, transaction) => {
    const waiting = Promise.withResolvers<never>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      waiting.reject(tooLate())
    }, limitMs)
    const run = inTurn(agentId, async () => {
      clearTimeout(timer)
      if (isLate) throw tooLate()
      return transaction()
    })
    return Promise.race([run, waiting.promise])
  }
}
