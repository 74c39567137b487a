import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { needsTwoFactor } from './needs-two-factor.ts'
import { type Operator, presentOperator } from './operator.ts'
import type { OperatorRow } from './tables.ts'

/** The team and the agents that a person can open. */
export interface TeamOverview {
  team: { id: number; name: string; require_two_factor: boolean }
  agents: { id: number; name: string; is_paused: boolean }[]
}

export interface WhoDependencies {
  db: Kysely<Tables>
  /** Reads a team with its agents. */
  overviewOf: (db: Kysely<Tables>, teamId: number) => Promise<TeamOverview>
}

/**
 * Reads the person and everything that they can open: nothing before their second factor is on. The console asks this
 * first.
 */
export async function who(
  { db, overviewOf }: WhoDependencies,
  row: OperatorRow,
): Promise<{ operator: Operator; needs_two_factor: boolean } & TeamOverview> {
  const { team, agents } = await overviewOf(db, row.team_id)
  const needs_two_factor = needsTwoFactor(row, { isRequired: team.require_two_factor })
  return { operator: presentOperator(row), needs_two_factor, team, agents: needs_two_factor ? [] : agents }
}
