import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { flag } from '../http/schemas.ts'
import { sendPieces } from '../http/send-pieces.ts'
import { isPicture, isShownInPlace } from './file-type.ts'
import type { FoundAttachment } from './find-attachment.ts'
import { BytesGone, beginReading, type FilePlace } from './places/file-place.ts'

export const attachmentQuery = z.object({
  preview: flag.prefault('false').describe('Whether to send the small copy of a picture.'),
})

/**
 * Answers with a file, or with the range of it that the request asks for. Browsers show only harmless types in place,
 * and those in a sandbox.
 * @param isPreview true: answers with the small copy of a picture
 * @throws ApiError range_not_satisfiable; attachment_not_found if it has no small copy
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  places: FilePlace,
  { file, attachment }: FoundAttachment,
  isPreview: boolean,
): Promise<void> {
  // A picture of a prompt is kept as it was sent, and has no small one.
  const isSmall = isPreview && (file.preview_bytes !== null || !isPicture(attachment.type))
  const size = isSmall ? file.preview_bytes : attachment.bytes
  if (size === null) throw new ApiError('attachment_not_found')
  const type = isSmall ? 'image/webp' : attachment.type
  const isShown = isShownInPlace(type)
  const { from, to } = rangeOf(request.headers.range, size)
  const isWhole = to - from === size
  const pieces = await beginReading(places.read(file, isSmall ? 'preview' : 'kept', from, to)).catch(
    asMissing,
  )
  reply
    .code(isWhole ? 200 : 206)
    .header('content-length', to - from)
    .header('accept-ranges', 'bytes')
    .header('content-security-policy', "default-src 'none'; sandbox")
  if (!isWhole) reply.header('content-range', `bytes ${from}-${to - 1}/${size}`)
  await sendPieces(reply, pieces, {
    type: isShown ? type : 'application/octet-stream',
    name: attachment.name ?? attachment.kind,
    isShown,
  })
}

/** A file that was erased since it was found is missing. */
function asMissing(error: unknown): never {
  throw error instanceof BytesGone ? new ApiError('attachment_not_found') : error
}

/** Parses the header `Range`. A request for several ranges gets the whole file. */
function rangeOf(header: string | undefined, size: number): { from: number; to: number } {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return { from: 0, to: size }
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (from < to) return { from, to }
  throw new ApiError('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } })
}
