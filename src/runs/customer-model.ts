import type { NamedModel } from '../agents/model-of-agent.ts'
import type { ModelMessage } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { Customer } from './case.ts'
import type { Exchange } from './exchange.ts'
import { BEGINNING, DONE, END, KNOWN, ROLE, SILENT, wordGoal } from './wording.ts'

const LONGEST_MESSAGE = 2000

/**
 * Has a model write the next message of a customer.
 * @returns null: the customer is done
 * @throws ModelError
 */
export async function playCustomer(
  { model, name }: NamedModel,
  customer: Pick<Customer, 'goal' | 'facts'>,
  exchanges: readonly Exchange[],
  signal: AbortSignal,
): Promise<string | null> {
  const messages = promptOfCustomer(customer, exchanges)
  const { content } = await model.complete({ model: name, messages, parameters: {} }, signal)
  const text = textOfContent(content).trim()
  if (text.toUpperCase().includes(DONE)) return null
  return text.slice(0, LONGEST_MESSAGE).toWellFormed()
}

/** Returns what the model reads. It is the customer here, so the roles are the other way round than for the agent. */
function promptOfCustomer(
  { goal = '', facts = {} }: Pick<Customer, 'goal' | 'facts'>,
  exchanges: readonly Exchange[],
): ModelMessage[] {
  const known = Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`)
  const system = [ROLE, wordGoal(goal), [KNOWN, ...known].join('\n'), END].join('\n\n')
  return [
    { role: 'system', content: system },
    { role: 'user', content: BEGINNING },
    ...exchanges.flatMap(({ customer, agent }): ModelMessage[] => [
      { role: 'assistant', content: customer },
      { role: 'user', content: agent || SILENT },
    ]),
  ]
}
