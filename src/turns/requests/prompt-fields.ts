import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { readJson } from '../../http/read-json.ts'
import { boundedText, parsePart } from '../../http/schemas.ts'
import { externalId, pathId, tagsSchema } from '../../transcripts/conversations/schemas.ts'
import { writerOfApi } from '../../users/writer.ts'
import type { Prompt } from '../prompt.ts'

const extensions = {
  conversation_id: z.uuid().nullish().describe('A conversation of this service to go on with.'),
  external_id: pathId
    .nullish()
    .describe(
      'Your own id of a conversation: found or made. Unique in the team; not the UUID of a conversation.',
    ),
  tags: tagsSchema.nullish().describe("Merged into the conversation's tags."),
  device_id: externalId.nullish(),
  session_id: externalId.nullish(),
  page_url: boundedText(2048).nullish().describe('The page on which the prompt was written.'),
}

/** The fields of a request that say where its prompt belongs, in every protocol. */
export const promptFields = {
  user: pathId.nullish().describe("The end user's id in your system."),
  /** May hold the same fields. OpenAI allows only texts there, so `tags` is JSON. */
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((pairs) => Object.keys(pairs).length <= 16, 'holds more than 16 pairs')
    .nullish(),
  ...extensions,
}

const metadataExtensions = z.object({
  ...extensions,
  tags: z
    .string()
    .transform((text, context) => {
      try {
        return readJson(Buffer.from(text), 'metadata.tags')
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_json') throw error
        context.addIssue('must be a JSON object')
        return z.NEVER
      }
    })
    .pipe(tagsSchema)
    .optional(),
})

const fields = z.object(promptFields)

/**
 * Reads where a prompt belongs. A field at the top goes before the same field in `metadata`.
 * @throws ApiError invalid_request when a field inside `metadata` is not valid
 */
export function readPromptFields({
  user,
  metadata,
  ...atTop
}: z.output<typeof fields>): Omit<Prompt, 'messages' | 'parameters'> {
  const inMetadata = parsePart(metadataExtensions, metadata ?? {}, 'metadata')
  return {
    conversationId: atTop.conversation_id ?? inMetadata.conversation_id ?? null,
    externalId: atTop.external_id ?? inMetadata.external_id ?? null,
    channelId: null,
    widgetId: null,
    language: null,
    tags: atTop.tags ?? inMetadata.tags ?? null,
    user: user == null ? null : writerOfApi(user),
    deviceId: atTop.device_id ?? inMetadata.device_id ?? null,
    sessionId: atTop.session_id ?? inMetadata.session_id ?? null,
    pageUrl: atTop.page_url ?? inMetadata.page_url ?? null,
  }
}
