import type { Agent } from '../../agents/agent.ts'
import type { FilesOfTurns } from '../../files/files-of-turns.ts'
import { hasFiles, holdsAddress, inWords, isFile, partWithData, wordOf } from '../../model/file-parts.ts'
import { type ContentPart, FILE, type ModelMessage } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'

/** The most bytes of files from before the prompt that are sent again with it. */
const EARLIER_BYTES = 8 * 1024 * 1024

/**
 * Puts the data of pictures, sounds and files into the messages for a model: all of the prompt, and the newest of
 * earlier messages up to 8 MiB. Words stand for the others, for files that the agent or its model server does not take,
 * and for addresses that the server would have to fetch: no address of a user is passed on.
 * @param takesFiles false: the server takes only texts
 * @param prompt the messages of the prompt, which are among the messages
 */
export async function sendFiles(
  { read }: Pick<FilesOfTurns, 'read'>,
  agent: Agent,
  takesFiles: boolean,
  messages: readonly ModelMessage[],
  prompt: readonly ModelMessage[],
): Promise<readonly ModelMessage[]> {
  const { mask, model } = agent.settings
  const { images } = model
  // Masking puts a placeholder in the place of each file.
  if (mask || !messages.some(({ content }) => hasFiles(content))) return messages
  const isTaken = ({ type }: ContentPart) => takesFiles && (images !== 'off' || type !== 'image_url')
  const ofPrompt = new Set(prompt.flatMap(({ content }) => (Array.isArray(content) ? content : [])))
  const sent = sentParts(messages, isTaken, ofPrompt)
  return Promise.all(messages.map(filled))

  async function filled(message: ModelMessage): Promise<ModelMessage> {
    const { content } = message
    if (!hasFiles(content)) return message
    const said = textOfContent(content)
    const parts = await Promise.all(
      content.map(async (part) => {
        if (!isFile(part)) return part
        const whole = sent.has(part) ? await withData(part) : null
        if (whole) return whole
        const text = wordOf(part)
        return said.includes(text) ? [] : { type: 'text', text }
      }),
    )
    const rest = parts.flat()
    return { ...message, content: hasFiles(rest) ? rest : inWords(rest) }
  }

  async function withData(part: ContentPart): Promise<ContentPart | null> {
    const file = part[FILE]
    if (!file) return part
    const data = await read(agent, file).catch((error: unknown) => {
      // An earlier file keeps nobody from an answer, for example while a store of files does not work.
      if (ofPrompt.has(part)) throw error
      return null
    })
    return data && partWithData(data.form, data.base64, file.name)
  }
}

/** Chooses the parts that are sent with their data. @param prompt the parts of the prompt */
function sentParts(
  messages: readonly ModelMessage[],
  isTaken: (part: ContentPart) => boolean,
  prompt: ReadonlySet<ContentPart>,
): Set<ContentPart> {
  const sent = new Set<ContentPart>()
  let left = EARLIER_BYTES
  for (const { content } of messages.toReversed())
    for (const part of hasFiles(content) ? content.filter(isFile).toReversed() : []) {
      if (!isTaken(part)) continue
      if (!part[FILE] && ('attachment_id' in part || holdsAddress(part))) continue
      if (prompt.has(part)) sent.add(part)
      else {
        left -= part[FILE]?.bytes ?? JSON.stringify(part).length
        if (left >= 0) sent.add(part)
      }
    }
  return sent
}
