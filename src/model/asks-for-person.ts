import { accepts, offersPerson, wishesForPerson } from '../language/small-talk.ts'
import type { ModelMessage } from './model.ts'
import { endsWithOffer, type OwnSentences } from './phrases/phrases.ts'
import { textOfContent } from './text-of-content.ts'

/**
 * Tells whether the last message of a conversation asks for a person: in words of its own, or by accepting the offer of
 * one that was the last thing said. No model decides this.
 * @param own the operator's sentences, which may hold an offer of their own
 */
export function asksForPerson(messages: readonly ModelMessage[], own: OwnSentences): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  // The results of tools continue what the user asked before.
  if (last < 0 || messages.at(-1)?.role === 'tool') return false
  const said = textOfContent(messages[last]?.content ?? null)
  if (wishesForPerson(said)) return true
  const before = messages.slice(0, last).findLast(({ role }) => role !== 'system')
  if (before?.role !== 'assistant' || !accepts(said)) return false
  const offered = textOfContent(before.content)
  return endsWithOffer(offered, own) || offersPerson(offered)
}
