import { languageOfTalk, phrases } from '../../model/phrases/phrases.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { StartedTurn } from '../turn.ts'

/**
 * Returns the answer when a model said nothing, in the language of the question. It offers a person, because the
 * conversation then waits for one.
 */
export function saidWithoutModel({ agent, history, messages }: StartedTurn, askedForPerson: boolean): string {
  const { texts } = agent.settings
  const asked = [...history.messages, ...messages].flatMap(({ role, content }) =>
    role === 'user' ? [textOfContent(content)] : [],
  )
  const { person, unfinished, offer } = phrases(languageOfTalk(asked.at(-1) ?? '', asked, texts), texts)
  return askedForPerson ? person : `${unfinished}\n\n${offer}`
}
