import type { Kysely } from 'kysely'
import type { Agent } from '../../agents/agent.ts'
import type { ModelMessage, ToolCall } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { SaidAround } from '../../redaction/mask/mask-request.ts'
import type { Tables } from '../../storage/tables.ts'
import { findKey, keyOfConversation } from '../../transcripts/conversations/keys.ts'
import { selectNewestMessages } from '../../transcripts/messages/store.ts'
import { type MaskedConversation, maskingIn, NOTHING_SAID, type NumbersKey } from './masking.ts'

/** The turn of a conversation, as far as it matters here. */
interface KnownOfTurn {
  agent: Agent
  conversationId: string
  history: { messages: readonly ModelMessage[]; summary: string | null; isCut: boolean }
  messages: readonly ModelMessage[]
  occasion: { customer: { name: string | null } | null }
}

/** Runs a turn of an agent, so that all that is sent to model servers has the same placeholders. */
export function maskingTurn<T>(db: Kysely<Tables>, turn: KnownOfTurn, work: () => Promise<T>): Promise<T> {
  const { agent, conversationId, history, messages, occasion } = turn
  const isWhole = !history.isCut && history.summary === null
  const customer = occasion.customer?.name ? [occasion.customer.name] : []
  return masking(agent, work, {
    key: keyIn(db, agent, conversationId),
    async around() {
      const { messages: said, names } = saidBy([...history.messages, ...messages])
      const earlier = isWhole ? NOTHING_SAID : await saidIn(db, conversationId)
      return { messages: [...earlier.messages, ...said], names: [...earlier.names, ...names, ...customer] }
    },
  })
}

function keyIn(db: Kysely<Tables>, agent: Agent, conversationId: string): NumbersKey {
  return {
    find: () => findKey(db, conversationId),
    make: () => keyOfConversation(db, agent.id, conversationId),
  }
}

/** Runs a turn that is not stored as `maskingTurn` runs one that is. */
export function maskingTriedTurn<T>(
  { agent, conversationId, history, messages }: Omit<KnownOfTurn, 'occasion'>,
  work: () => Promise<T>,
): Promise<T> {
  return masking(agent, work, {
    key: { find: async () => conversationId, make: async () => conversationId },
    around: async () => saidBy([...history.messages, ...messages]),
  })
}

/** Does work on a stored conversation with the same placeholders as its turns. */
export function maskingConversation<T>(
  db: Kysely<Tables>,
  agent: Agent,
  conversationId: string,
  work: () => Promise<T>,
): Promise<T> {
  return masking(agent, work, {
    key: keyIn(db, agent, conversationId),
    around: () => saidIn(db, conversationId),
  })
}

function masking<T>(
  { settings }: Agent,
  work: () => Promise<T>,
  { key, around }: MaskedConversation,
): Promise<T> {
  if (!settings.mask) return work()
  // Answers may repeat what only the instructions say.
  const told: ModelMessage = { role: 'system', content: settings.instructions }
  const withTold = async () => {
    const { messages, names } = await around()
    return { messages: [told, ...messages], names }
  }
  return maskingIn({ key, around: withTold }, work)
}

/** The most messages of a conversation in which values are looked for, the newest. */
const MOST_MESSAGES = 1000

async function saidIn(db: Kysely<Tables>, conversationId: string): Promise<SaidAround> {
  const newest = await selectNewestMessages(db, {
    conversation_id: conversationId,
    after: 0,
    before: Number.MAX_SAFE_INTEGER,
    limit: MOST_MESSAGES,
  })
  const rows = newest.reverse()
  return {
    messages: rows.map(({ role, content, tool_calls }) => ({
      role,
      content: JSON.parse(content),
      ...(tool_calls === null ? {} : { tool_calls: JSON.parse(tool_calls) as ToolCall[] }),
    })),
    names: rows.flatMap(({ role, author }) => (role === 'operator' && author) || []),
  }
}

/** Matches the name in the mark of a message that a person wrote. */
const AUTHOR = /^\[Person “([^”]+)”\]/

function saidBy(messages: readonly ModelMessage[]): SaidAround {
  return {
    messages,
    names: messages.flatMap(({ content }) => AUTHOR.exec(textOfContent(content))?.[1] ?? []),
  }
}
