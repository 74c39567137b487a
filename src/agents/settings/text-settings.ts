import { z } from 'zod'
import { byLanguage } from '../../http/by-language.ts'
import { boundedText } from '../../http/schemas.ts'
import { withoutVariables } from '../variables.ts'
import { LONGEST_TEXTS, setting, text } from './setting.ts'

const message = boundedText(10_000).nullable()

const sentence = boundedText(1000).min(1).optional()

/** The agent's own messages and the built-in answerer's sentences, in one language. */
const textsOfLanguage = z.strictObject({
  greeting: message.optional(),
  pause_message: message.optional(),
  resume_message: message.optional(),
  unsupported_message: message.optional(),
  away_message: message.optional(),
  follow_up_message: message.optional(),
  hello: sentence.describe('Greets.'),
  welcome: sentence.describe('Answers thanks.'),
  ask: sentence.describe('Says what the built-in answerer does.'),
  about: sentence.describe('Introduces the list of documents.'),
  meant: sentence.describe('Introduces entries that may be meant.'),
  help: sentence.describe('Introduces pages that may hold the answer.'),
  unknown: sentence.describe('Says that nothing was found.'),
  offer: sentence.describe('Offers a person where there is no answer.'),
})

/** The texts of a language in a patch. `offer` has no variables: a sent offer is recognized by its exact words. */
const newTextsOfLanguage = textsOfLanguage.extend({
  offer: withoutVariables(boundedText(1000).min(1))
    .optional()
    .describe('Offers a person where there is no answer.'),
})

/** The agent's own messages, and its sentences in each language. */
export const texts = {
  greeting: setting(message, text, 'Hello! How can I help you?'),
  pause_message: setting(
    message.describe(
      'Said in open conversations when the agent is paused, and in answer to prompts while it is. Null: nothing is said, and prompts over the API are answered with an empty text.',
    ),
    text,
    'The assistant is paused. A person will take over from here.',
  ),
  resume_message: setting(message, text, null),
  unsupported_message: setting(
    message.describe(
      'Said to files without words of which the agent reads none, such as a video, a picture that its model does not see, or a voice message that cannot be written down; on channels also to anything else that is no text and has no caption, once a conversation and hour. Null: nothing.',
    ),
    text,
    'I can only read text. Please write me what it is about.',
  ),
  away_message: setting(
    message.describe(
      'Said when a conversation begins to wait for a person outside of the `hours`, once for each time between two shifts; `{back_at}` is when people are back. Null: nothing is said.',
    ),
    text,
    null,
  ),
  follow_up_message: setting(
    message.describe(
      "Said when its user has said nothing for the minutes of `inactivity.follow_up_after`, where the channel's window is open. Null: nothing is said.",
    ),
    text,
    null,
  ),
  texts: setting(
    byLanguage(newTextsOfLanguage)
      .refine(
        (all) => JSON.stringify(all).length <= LONGEST_TEXTS,
        `holds more than ${LONGEST_TEXTS} characters`,
      )
      .describe(
        "What is said in place of the agent's own messages and of the built-in answerer's sentences where a conversation's language is one of these. What a language does not have stays as it is; null: nothing is said.",
      ),
    z.record(z.string(), textsOfLanguage),
    {},
  ),
}
