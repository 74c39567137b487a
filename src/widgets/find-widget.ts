import type { Kysely } from 'kysely'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { ApiError } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { selectByPublicKey } from './store.ts'
import type { WidgetRow } from './tables.ts'

/** A widget that a page requests. */
export interface OpenedWidget {
  row: WidgetRow
  teamId: number
}

/** Finds the widget of a public key. @throws ApiError widget_not_found, also when its agent was deleted */
export async function findWidget(db: Kysely<Tables>, publicKey: string): Promise<OpenedWidget> {
  const [row] = await selectByPublicKey(db, { public_key: publicKey })
  const teamId = row ? await teamOfAgent(db, row.agent_id) : null
  if (!row || teamId === null) throw new ApiError('widget_not_found')
  return { row, teamId }
}
