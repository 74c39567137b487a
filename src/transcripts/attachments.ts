import { z } from 'zod'

export const attachmentKinds = ['image', 'voice', 'video', 'file', 'sticker'] as const

/** A file of a message, as the message has it. */
export const attachmentSchema = z
  .object({
    id: z.string().describe('UUID.'),
    kind: z.enum(attachmentKinds),
    name: z.string().nullable().describe('Null: it has none, or was deleted.'),
    type: z
      .string()
      .describe(
        'The media type that was found in its bytes; `application/octet-stream`: none, as in plain text.',
      ),
    bytes: z.int(),
    width: z.int().nullable().describe('Of a picture, in pixels.'),
    height: z.int().nullable(),
    state: z.enum(['stored', 'deleted']).describe('`deleted`: a redaction has deleted it.'),
  })
  .meta({ id: 'Attachment' })

export type Attachment = z.output<typeof attachmentSchema>

/** Reads the files of a message as they are stored with it. */
export function readAttachments(stored: string | null): Attachment[] | null {
  return stored === null ? null : (JSON.parse(stored) as Attachment[])
}
