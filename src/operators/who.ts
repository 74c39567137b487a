import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { type Operator, presentOperator } from './operator.ts'
import type { OperatorRow } from './tables.ts'

/** What a person can open. */
export interface TeamOverview {
  team: { id: number; name: string }
  agents: { id: number; name: string; is_paused: boolean }[]
}

export interface WhoDependencies {
  db: Kysely<Tables>
  /** Reads a team with its agents. */
  overviewOf: (db: Kysely<Tables>, teamId: number) => Promise<TeamOverview>
}

/** Who the person is and what they can open. The console asks for this first. */
export async function who(
  { db, overviewOf }: WhoDependencies,
  row: OperatorRow,
): Promise<{ operator: Operator } & TeamOverview> {
  return { operator: presentOperator(row), ...(await overviewOf(db, row.team_id)) }
}
