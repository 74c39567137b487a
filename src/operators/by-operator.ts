import { sql } from 'kysely'
import type { Owners } from '../work/in-turns.ts'

/** The owners of work that waits in a table with `operator_id`. */
export const byOperator: Owners = {
  tenant: sql`operator_id`,
  teams: sql`(select id as tenant, team_id as team from operators)`,
}
