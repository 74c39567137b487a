import multipart from '@fastify/multipart'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { AROUND_FILE, fileOf, oneFile } from '../files/routes.ts'
import { requireMultipart } from '../http/multipart.ts'
import { bodyErrors, errors, flag, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { BeginUpload } from '../http/uploads-at-once.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Erasures } from '../receipts/erasures.ts'
import type { Tables } from '../storage/tables.ts'
import { faultCodes } from './faults.ts'
import { importUsers, type Outcome, outcomes } from './import-users.ts'
import { MOST_PEOPLE, readPeopleFile } from './read-people-file.ts'

const LARGEST_FILE = 5 * 1024 * 1024

export const userImport = z
  .object({
    is_dry_run: z.boolean(),
    counts: z.object({
      created: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      erased: z.int(),
      refused: z.int(),
    }),
    rows: z.array(
      z.object({
        line: z.int().describe('The line of the file on which the row begins; the first is 1.'),
        id: z.string().describe('As the file has it.'),
        outcome: z
          .enum(outcomes)
          .describe(
            '`erased`: they were scrubbed or anonymized and stay so. `refused`: the row has faults and is left out.',
          ),
        faults: z.array(
          z.object({
            column: z.string().nullable().describe('The name of the column; null: the row as a whole.'),
            code: z.enum(faultCodes),
            values: z.record(z.string(), z.string()).describe('What the message names.'),
            message: z.string(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'UserImport' })

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  erasures: Erasures
  beginUpload: BeginUpload
}

export const importQuery = z.object({ dry_run: flag.default(false) })

/** Adds the route by which a team imports its users. */
export function userImportRoutes(server: Server, { db, clock, erasures, beginUpload }: Dependencies): void {
  // In a scope of its own: elsewhere such bodies stay unsupported.
  server.register(async (scope: Server) => {
    scope.register(multipart, oneFile(LARGEST_FILE))
    scope.post(
      '/users/import',
      {
        config: { right: 'manage' },
        schema: {
          operationId: 'importUsers',
          summary: 'Set the names and attributes of many end users from a CSV file, also before they write',
          description: `One file in UTF-8 with at most ${MOST_PEOPLE} rows and 5 MiB. The first row names the columns: \`id\`, as addresses name an end user, \`name\` if there is one, and an attribute each. An empty cell changes nothing. Rows with faults are left out; \`dry_run=true\` tells the same and stores nothing. The same file again changes nothing.`,
          querystring: importQuery,
          consumes: ['multipart/form-data'],
          response: { 200: single(userImport), ...errors(...bodyErrors) },
        },
      },
      async (request) => {
        const { agentId, teamId } = request.caller
        const { dry_run: isDryRun } = request.query
        requireMultipart(request, LARGEST_FILE, AROUND_FILE)
        using _upload = beginUpload(teamId)
        const { bytes } = await fileOf(request, LARGEST_FILE)
        const file = await readPeopleFile(Buffer.concat(await Array.fromAsync(bytes)))
        const context = {
          db,
          erasures,
          agentId,
          file,
          isDryRun,
          now: timestamp(clock()),
          by: byCaller(request),
        }
        const rows = await importUsers(context)
        const count = (outcome: Outcome) => rows.filter((row) => row.outcome === outcome).length
        const counts = {
          created: count('created'),
          changed: count('changed'),
          unchanged: count('unchanged'),
          erased: count('erased'),
          refused: count('refused'),
        }
        return { data: { is_dry_run: isDryRun, counts, rows } }
      },
    )
  })
}
