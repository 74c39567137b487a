import type { NamedModel } from '../agents/model-of-agent.ts'
import type { ModelMessage } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { Customer } from './case.ts'
import type { Exchange } from './exchange.ts'

const DONE = '[DONE]'
const LONGEST_MESSAGE = 2000

const ROLE =
  'You play a customer who writes to the support chat of a company. Write only the next message of the customer: ' +
  'short and plain, as people write in a chat, and in the language in which the goal is written. Never answer in the ' +
  'place of the assistant, and never say that you play a role.'

const KNOWN =
  'The customer knows only the following, and tells it when the assistant asks for it or needs it. Invent nothing else.'

const END =
  `When the goal is reached, or the assistant has made clear that it cannot be reached, write ${DONE} and nothing ` +
  'else.'

const BEGINNING = '(The chat is open. Write the first message of the customer.)'

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
  const system = [ROLE, `The goal of the customer: ${goal}`, [KNOWN, ...known].join('\n'), END].join('\n\n')
  return [
    { role: 'system', content: system },
    { role: 'user', content: BEGINNING },
    ...exchanges.flatMap(({ customer, agent }): ModelMessage[] => [
      { role: 'assistant', content: customer },
      { role: 'user', content: agent || '(The assistant wrote nothing.)' },
    ]),
  ]
}
