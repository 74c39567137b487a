import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import { invalidField } from '../../errors.ts'
import { refusalOfMultipart, requireMultipart, tooLarge } from '../../http/multipart.ts'
import { bodyErrors, errors, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { uploadsAtOnce } from '../../http/uploads-at-once.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { LARGEST_FILE } from '../formats/file-format.ts'
import { notesFields, presentNotes } from '../notes.ts'
import { whyOf } from '../reasons.ts'
import { why } from '../why.ts'
import { addFile, type FileOutcome } from './add-file.ts'
import { stepAside } from './seed-guide.ts'

const MOST_FILES = 200
const LONGEST_PATH = 500
/** The most uploads at once. Each may take as much memory as PARLEY_UPLOAD_LIMIT allows. */
const MOST_UPLOADS = 16
const MOST_UPLOADS_OF_TEAM = 4

export const fileOutcome = z
  .object({
    file: z.string(),
    outcome: z.enum(['added', 'replaced', 'unchanged', 'skipped']),
    document_id: z.int().nullable(),
    source: z.string().nullable(),
    reason: z.string().nullable().describe('Why it was skipped, in English.'),
    ...notesFields,
    ...why.shape,
  })
  .meta({ id: 'KnowledgeFile' })

/** Serves uploads of files as a browser sends them. */
export function knowledgeFileRoutes(
  server: Server,
  dependencies: { db: Kysely<Tables>; clock: Clock /** Bytes. */; uploadLimit: number },
): void {
  const { db, clock, uploadLimit } = dependencies
  const begin = uploadsAtOnce(MOST_UPLOADS, MOST_UPLOADS_OF_TEAM)
  // In a scope of its own: elsewhere such bodies stay unsupported.
  server.register(async (scope: Server) => {
    scope.register(multipart, {
      // Keep the whole paths of files in dropped folders.
      preservePath: true,
      limits: { files: MOST_FILES, fileSize: LARGEST_FILE, fields: 0, headerPairs: 20 },
      throwFileSizeLimit: false,
    })
    scope.post(
      '/knowledge/files',
      {
        config: { right: 'manage' },
        schema: {
          operationId: 'uploadKnowledgeFiles',
          summary:
            'Add files (Markdown, MDX, text, HTML, reStructuredText, JSON, CSV, PDF, DOCX): answers what became of each',
          description: `At most ${MOST_FILES} files, and 50 MiB in all unless PARLEY_UPLOAD_LIMIT says otherwise. The name of a file, with its folders, is its source: a file of the same name replaces it.`,
          consumes: ['multipart/form-data'],
          response: { 200: single(z.array(fileOutcome)), ...errors(...bodyErrors) },
        },
      },
      async (request) => ({ data: await addFiles(request) }),
    )
  })

  async function addFiles(request: FastifyRequest): Promise<z.output<typeof fileOutcome>[]> {
    const outcomes: z.output<typeof fileOutcome>[] = []
    const { agentId, teamId } = request.caller
    using _upload = begin(teamId)
    // All files are read before the first is added, so that a body that is refused adds nothing.
    for (const file of await Array.fromAsync(filesOf(request, uploadLimit)))
      outcomes.push(await present(await addFile(db, agentId, file, clock(), byCaller(request))))
    if (outcomes.length === 0) throw invalidField('', 'There is no file in the body.')
    if (outcomes.some(({ outcome }) => outcome !== 'skipped')) await stepAside(db, agentId, clock())
    return outcomes
  }
}

function present(outcome: FileOutcome): z.output<typeof fileOutcome> {
  return { ...outcome, ...presentNotes(outcome.notes), ...whyOf(outcome.reason ?? outcome.notes[0] ?? null) }
}

/** Yields the files of a body, one after the other. @throws ApiError for a body that is not multipart, or too large */
async function* filesOf(
  request: FastifyRequest,
  limit: number,
): AsyncGenerator<{ path: string; content: Buffer | null }> {
  requireMultipart(request, limit)
  let size = 0
  try {
    for await (const part of request.files()) {
      const content = await part.toBuffer()
      size += part.file.bytesRead
      // Senders need not declare the length.
      if (size > limit) throw tooLarge(limit)
      const path = part.filename.slice(0, LONGEST_PATH).toWellFormed()
      yield { path, content: part.file.truncated ? null : content }
    }
  } catch (error) {
    throw refusalOfMultipart(error, MOST_FILES)
  }
}
