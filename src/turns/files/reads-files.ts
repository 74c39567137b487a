import type { Agent } from '../../agents/agent.ts'
import type { NamedModel } from '../../agents/model-of-agent.ts'
import { hasFiles } from '../../model/file-parts.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { wordsIn } from '../prompt-text.ts'
import type { StartedTurn } from '../turn.ts'

/** Tells whether an agent's model is sent pictures, as far as it is known that its server takes them. */
export function seesPictures(
  { isBuiltIn, takesFiles }: Pick<NamedModel, 'isBuiltIn' | 'takesFiles'>,
  { settings: { mask, model } }: Agent,
): boolean {
  return !isBuiltIn && !mask && model.images !== 'off' && (takesFiles?.() ?? true)
}

/**
 * Tells whether a prompt has only files, none of which the agent can read: pictures that its model does not see or that
 * could not be fetched, sounds that were not written down, videos. Files in parts of prompts are left to the model.
 */
export function isUnread({ messages, attachments = [] }: StartedTurn, sees: boolean): boolean {
  if (!attachments.some((files) => files?.length)) return false
  return messages
    .filter(({ role }) => role === 'user')
    .every(
      ({ content }) =>
        textOfContent(content) !== '' && wordsIn(content) === '' && !(sees && hasFiles(content)),
    )
}
