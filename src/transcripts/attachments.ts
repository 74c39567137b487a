import { z } from 'zod'
import { fileKinds } from '../platforms/media.ts'

/** A file of a message, as it is stored with the message and answered. */
export const attachmentSchema = z
  .object({
    id: z.string().describe('UUID.'),
    kind: z.enum(fileKinds),
    name: z.string().nullable().describe('Null: it has none, or was deleted.'),
    type: z
      .string()
      .describe(
        'The media type that was found in its bytes; `application/octet-stream`: none, as in plain text.',
      ),
    bytes: z.int().describe('0 until it is stored.'),
    width: z.int().nullable().describe('Of a picture, in pixels.'),
    height: z.int().nullable(),
    duration: z.number().nullable().describe('Null: sounds and videos are not measured.'),
    transcript: z.string().nullable().describe('What is said in it; null: it is not written down.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'The reason for which it could not be fetched (`too_large`, `address_refused`, `empty`, `unreadable_picture`, `outlook_only`, `unreachable`, `gone`, `unauthorized`, `damaged`, `channel_deleted`), or not be written down.',
      ),
    state: z
      .enum(['fetching', 'stored', 'failed', 'refused', 'deleted'])
      .describe(
        '`fetching`: it is being fetched from the platform of its channel. `failed`: it could not be fetched, `refused`: it is not taken, both with a `reason`. `deleted`: a redaction has deleted it.',
      ),
  })
  .meta({ id: 'Attachment' })

export type Attachment = z.output<typeof attachmentSchema>

/** The fields of a new file of which nothing is known. */
export const nothingSaid = {
  duration: null,
  transcript: null,
  reason: null,
} as const satisfies Partial<Attachment>

/** Files of older versions and redacted ones are stored without fields of which nothing is known. */
type Stored = Omit<Attachment, keyof typeof nothingSaid> & Partial<Attachment>

/** Parses the column `attachments` of a message. */
export function readAttachments(stored: string | null): Attachment[] | null {
  return stored === null ? null : (JSON.parse(stored) as Stored[]).map(whole)
}

/** Parses the column `attachment` of a file. */
export function readAttachment(stored: string): Attachment {
  return whole(JSON.parse(stored) as Stored)
}

function whole(file: Stored): Attachment {
  const { duration = null, transcript = null, reason = null } = file
  return { ...file, duration, transcript, reason }
}
