import type { FastifyRequest } from 'fastify'
import { ApiError, invalidField } from '../errors.ts'
import { errorCode } from '../lib/error-code.ts'
import { allowUpload } from './slow-senders.ts'

/**
 * Makes sure that a body is an upload, which may then take longer to arrive. Call it right before the body is read.
 * @param around the bytes that the body may have beside those that the limit is for
 * @throws ApiError for a body that is not multipart, says that it is larger than a limit in bytes, or whose sender has left
 */
export function requireMultipart(request: FastifyRequest, limit: number, around = 0): void {
  if (!request.isMultipart()) throw new ApiError('unsupported_media_type', { message: NOT_MULTIPART })
  if (Number(request.headers['content-length'] ?? 0) > limit + around) throw tooLarge(limit)
  // The parser would wait for ever for the end of a request that has been closed before.
  if (request.raw.destroyed) throw invalidField('', 'The body was cut off.')
  allowUpload(request.raw)
}

const NOT_MULTIPART = 'The body must be sent as multipart/form-data.'

const MEBIBYTE = 1024 * 1024

/** Returns the refusal of an upload that is larger than a limit in bytes. */
export function tooLarge(limit: number): ApiError {
  const most = limit % MEBIBYTE === 0 ? `${limit / MEBIBYTE} MiB` : `${limit} bytes`
  return new ApiError('body_too_large', { message: `An upload may have at most ${most}.` })
}

/** Turns any error of the multipart parser into a refusal of the body. @param mostFiles the most files that it may have */
export function refusalOfMultipart(error: unknown, mostFiles: number): ApiError {
  if (error instanceof ApiError) return error
  const code = errorCode(error)
  if (code === 'FST_FILES_LIMIT')
    return mostFiles === 1
      ? invalidField('file', 'there is more than one')
      : new ApiError('body_too_large', { message: `There are more than ${mostFiles} files.` })
  if (code === 'FST_FIELDS_LIMIT') return invalidField('', 'Only files are taken, and no other fields.')
  return invalidField('', 'The body is not valid multipart/form-data.')
}
