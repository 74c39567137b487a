import { ANSWER_RULES } from '../../src/agents/answer-rules.ts'
import { sentences } from '../../src/model/phrases/sentences.ts'
import { BORDERS, wordOffer } from '../../src/turns/prompt/wording.ts'
import { type RequestBody, withoutAhead } from './model-server.ts'

const OFFERS = Object.values(sentences).map(({ offer }) => wordOffer(offer))
/** The parts of the system message of every agent that has not set it otherwise. */
const USUAL = [ANSWER_RULES, BORDERS, ...OFFERS].map((text) => `${text}\n\n`)
const CHANNEL = /Channel: [^\n]*\.(?:\n\n|$)/

/** Returns the messages of a request without what Parley says in every request: the usual rules, the channel, the time. */
export function spokenIn(body: Pick<RequestBody, 'messages'> | undefined): RequestBody['messages'] {
  const { messages } = body ?? { messages: [] }
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.flatMap((message, at) => {
    if (typeof message.content !== 'string') return [message]
    if (at === last) return [{ ...message, content: withoutAhead(message.content) }]
    if (message.role !== 'system') return [message]
    const content = USUAL.reduce((text, usual) => text.replace(usual, ''), message.content)
    const own = content.replace(CHANNEL, '').trim()
    return own === '' ? [] : [{ ...message, content: own }]
  })
}
