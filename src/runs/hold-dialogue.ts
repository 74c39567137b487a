import type { NamedModel } from '../agents/model-of-agent.ts'
import { describeModelError, ModelError } from '../model/model.ts'
import type { TriedAnswer } from '../turns/try/tried-answer.ts'
import type { TriedTurn } from '../turns/try/tried-history.ts'
import { type Customer, MOST_TURNS } from './case.ts'
import { playCustomer } from './customer-model.ts'
import type { Exchange } from './exchange.ts'
import { type Failure, failure } from './failure.ts'

/** A message of a customer, and the agent's answer. */
export type DialogueTurn = TriedTurn & { answer: TriedAnswer; ms: number }

/** The end of a conversation of an agent with a customer. */
export interface DialogueEnd {
  /** True if the customer had nothing more to say. */
  isDone: boolean
  /** The reason for which the conversation broke off; null: it came to its end. */
  failure: Failure | null
}

const USUAL_TURNS = 5
const LONGEST = 4000

interface Talking {
  /** Answers the next message of the customer. */
  ask: (prompt: string) => Promise<TriedAnswer>
  /** The model that plays the customer; null: there is none. */
  player: NamedModel | null
  /** Returns the signal that ends the next call of that model. */
  signal: () => AbortSignal
}

/**
 * Lets a customer talk with the agent, until the customer is done, has no turn left, or a model fails.
 * @param turns gets each message with its answer
 */
export async function holdDialogue(
  customer: Customer,
  turns: DialogueTurn[],
  { ask, player, signal }: Talking,
): Promise<DialogueEnd> {
  const ended = (isDone: boolean, why: Failure | null = null) => ({ isDone, failure: why })
  const most = Math.min(customer.turns ?? customer.says?.length ?? USUAL_TURNS, MOST_TURNS)
  for (;;) {
    const isLast = turns.length === most
    // A model may still say that it is done when it has no turn left.
    const said = customer.says ? saysNext(customer.says) : await playNext()
    if (said !== null && typeof said !== 'string') return ended(false, said)
    if (said === null) return ended(true)
    if (isLast) return ended(false)
    const started = performance.now()
    const answer = await ask(said)
    turns.push({ prompt: said, answer, ms: Math.round(performance.now() - started) })
    if (answer.error) return ended(false)
  }

  function saysNext(says: readonly string[]): string | null {
    return says[turns.length] ?? null
  }

  async function playNext(): Promise<string | Failure | null> {
    if (!player) return failure('no_customer')
    try {
      const said = await playCustomer(player, customer, presentDialogue(turns), signal())
      if (said === '' || (said === null && turns.length === 0)) return failure('customer_silent')
      return said
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const { said = error.message } = describeModelError(error) as { said?: string }
      return failure('customer_failed', { message: said, reason: error.reason })
    }
  }
}

/** Presents a dialogue as it is kept and read by people. */
export function presentDialogue(turns: readonly DialogueTurn[]): Exchange[] {
  const cut = (text: string) => text.slice(0, LONGEST).toWellFormed()
  return turns.map(({ prompt, answer, ms }) => ({
    customer: cut(prompt),
    agent: cut(answer.response ?? ''),
    tools: answer.trace.tools.map(({ name }) => name),
    ms,
  }))
}
