import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import { actorSchema } from '../../audit/routes.ts'
import { listOf, listQuery, presentPage } from '../../http/paging.ts'
import { errors, single, time } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import type { Clock } from '../../lib/clock.ts'
import { rowId } from '../../lib/ids.ts'
import { presentAgent } from '../agent.ts'
import type { CheckPatch } from '../check-patch.ts'
import { agentSchema } from '../settings.ts'
import type { AgentVersionRow } from '../tables.ts'
import { type UpdateDependencies, updateAgent } from '../update-agent.ts'
import { selectVersionsPage } from './store.ts'
import { settingsOfVersion } from './version-settings.ts'

interface Dependencies extends UpdateDependencies {
  clock: Clock
  /** Checks rules that the schema of a patch cannot express, such as permitted addresses. Throws an ApiError. */
  checkPatch: CheckPatch
}

export const versionSchema = z
  .object({
    number: z.int().describe('From 1, which is the agent before its first change.'),
    at: time,
    by: actorSchema,
    changes: z
      .array(z.string())
      .describe(
        'The settings that differ from those of the version before, such as `instructions` or `model.url`.',
      ),
    settings: z
      .record(z.string(), z.unknown())
      .describe('All settings as `PATCH /agent` takes them, without secrets.'),
  })
  .meta({ id: 'AgentVersion' })

/** Adds the routes that list and restore the versions of an agent's settings. */
export function versionRoutes(server: Server, dependencies: Dependencies): void {
  const { db, box, clock, checkPatch } = dependencies

  server.get(
    '/agent/versions',
    {
      config: { right: 'read' },
      schema: {
        summary: "The versions of the agent's settings, newest first",
        description: 'Each change of a setting makes one. The newest 1,000 are kept.',
        querystring: listQuery,
        response: { 200: listOf(versionSchema) },
      },
    },
    async ({ caller, query }) => presentPage(await selectVersionsPage(db, caller.agentId, query), present),
  )

  server.post(
    '/agent/versions/:number/restore',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Restore the settings of the agent from a version',
        description:
          'This makes a new version. Secrets are not part of versions: a key that is stored stays where the address has the same origin, and is dropped where it does not.',
        params: z.object({ number: z.string().describe('Number of the version.') }),
        response: { 200: single(agentSchema), ...errors('version_not_found') },
      },
    },
    async (request) => {
      const { caller, params } = request
      const number = rowId(params.number)
      const patch = await settingsOfVersion(db, caller.agentId, number)
      await checkPatch(patch, null)
      const by = byCaller(request)
      const agent = await updateAgent(dependencies, caller.agentId, patch, by, clock(), number)
      return { data: presentAgent(agent, box) }
    },
  )
}

function present(row: AgentVersionRow): z.output<typeof versionSchema> {
  return {
    number: row.number,
    at: row.at,
    by: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    changes: JSON.parse(row.changes),
    settings: JSON.parse(row.settings),
  }
}
