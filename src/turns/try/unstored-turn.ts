import type { Agent } from '../../agents/agent.ts'
import { inConversation } from '../../agents/in-conversation.ts'
import { detectLanguage } from '../../language/detect-language.ts'
import { timestamp } from '../../lib/clock.ts'
import { uuidv7 } from '../../lib/ids.ts'
import type { ModelMessage } from '../../model/model.ts'
import { type History, NO_HISTORY } from '../history/read-history.ts'
import { userText } from '../prompt-text.ts'
import type { StartedTurn } from '../turn.ts'

/** A prompt to try out. */
export interface TriedPrompt {
  messages: ModelMessage[]
  tags: Record<string, unknown>
  pageUrl: string | null
  /** True if tools may be called. */
  callsTools: boolean
  /** The conversation so far, which is not stored either; absent: the prompt opens one. */
  conversation?: { id: string; history: History }
}

/** Builds a turn like one that is stored, for a conversation that is not. */
export function unstoredTurn(
  agent: Agent,
  { messages, tags, pageUrl, conversation }: TriedPrompt,
  nowMs: number,
): StartedTurn {
  const language = detectLanguage(userText(messages)) ?? lastLanguage(conversation?.history.messages ?? [])
  const occasion = { now: nowMs, channel: 'API', language, customer: null }
  return {
    completionId: uuidv7(nowMs),
    number: 0,
    conversationId: conversation?.id ?? uuidv7(nowMs),
    createdAt: timestamp(nowMs),
    takenUpAt: null,
    agent: inConversation(agent, occasion),
    occasion,
    writer: { user_id: null, proven_id: null },
    history: conversation?.history ?? NO_HISTORY,
    messages,
    messageIds: [],
    paused: false,
    blocked: false,
    origin: {
      channelId: null,
      platform: null,
      channel: 'API',
      isGroup: false,
      tags,
      startedBy: 'api',
      language: null,
      pageUrl,
      userIsNew: null,
    },
  }
}

/** Finds the language of the last message of the user whose language can be told. */
function lastLanguage(messages: readonly ModelMessage[]): string | null {
  for (const message of messages.toReversed()) {
    const language = detectLanguage(userText([message]))
    if (language) return language
  }
  return null
}
