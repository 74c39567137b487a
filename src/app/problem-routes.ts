import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { refusedChannels } from '../channels/refused-channels.ts'
import type { Server } from '../http/server.ts'
import { failedImports } from '../knowledge/imports/store.ts'
import { type Clock, DAY_MS, timestamp } from '../lib/clock.ts'
import { heldNotifications } from '../notifications/delivery-store.ts'
import type { Engine } from '../storage/engine.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { costsOf } from '../usage/budget.ts'

const kinds = [
  'endpoint_held',
  'channel_refused',
  'import_failed',
  'budget_spent',
  'row_security_bypassed',
] as const

export const problem = z
  .object({
    kind: z
      .enum(kinds)
      .describe(
        '`endpoint_held`: a webhook gets nothing for a while, because it keeps failing. `channel_refused`: the platform refused the token of a channel in the last day, or does so now. `import_failed`: a site could not be read. `budget_spent`: the budget of the day or month. `row_security_bypassed`: the role of PARLEY_DATABASE_URL is one to which PostgreSQL applies no policies, so that nothing beneath the queries keeps agents apart.',
      ),
    id: z.int().nullable().describe('The notification, channel or import.'),
    name: z.string().describe('Its name or address; of a budget `day` or `month`; of the role `PostgreSQL`.'),
  })
  .meta({ id: 'Problem' })

interface Dependencies {
  database: Pick<Database, 'db' | 'engine'>
  clock: Clock
}

/** Serves the problems that keep an agent from working, or make it less safe, and that a person has to fix. */
export function problemRoutes(server: Server, { database, clock }: Dependencies): void {
  server.get(
    '/problems',
    {
      config: { right: 'manage' },
      schema: {
        summary:
          'The problems that keep the agent from working, or make it less safe, and that a person has to fix',
        response: { 200: z.object({ data: z.array(problem) }) },
      },
    },
    async ({ caller: { agentId } }) => ({ data: await listProblems(database, agentId, clock()) }),
  )
}

async function listProblems(
  { db, engine }: Dependencies['database'],
  agentId: number,
  nowMs: number,
): Promise<z.output<typeof problem>[]> {
  const now = timestamp(nowMs)
  const of = async (kind: (typeof kinds)[number], found: Promise<{ id: number | null; name: string }[]>) =>
    (await found).map(({ id, name }) => ({ kind, id, name }))
  const found = await Promise.all([
    of('endpoint_held', heldNotifications(db, agentId, now)),
    of('channel_refused', refusedChannels(db, agentId, timestamp(nowMs - DAY_MS))),
    of('import_failed', failedImports(db, agentId)),
    of('budget_spent', spentBudgets(db, agentId, now)),
    of('row_security_bypassed', bypassedPolicies(engine)),
  ])
  return found.flat()
}

async function bypassedPolicies(engine: Engine) {
  return (await engine.rowSecurityWarning()) === null ? [] : [{ id: null, name: engine.name }]
}

async function spentBudgets(db: Kysely<Tables>, agentId: number, now: string) {
  const costs = await costsOf(db, [await readAgent(db, agentId)], now)
  return costs.filter(({ left }) => left === 0).map(({ period }) => ({ id: null, name: period }))
}
