import { type RawBuilder, sql } from 'kysely'
import type { FairTurns, Owner, Shares } from './fair-turns.ts'

/** The tenants whose pieces share the places of a process. */
export interface Owners {
  /** The column with the tenant's id. */
  tenant: RawBuilder<number>
  /** A query of `tenant` and `team`: the team of each tenant. */
  teams: RawBuilder<Owner>
}

/** The rows of a table that may be claimed. */
interface Claimable extends Owners {
  table: RawBuilder<unknown>
  where: RawBuilder<boolean>
  order: RawBuilder<unknown>
}

/** The number of rows examined for each that is claimed, to find those that come first. */
const LOOKED_AT = 4
const LEAST_LOOKED_AT = 64

/**
 * Selects the rows whose owners have room for them, as `candidate`, `rank` and `place`. They are to be claimed by their
 * rank, and those of the same rank by their place.
 *
 * The rows of each tenant are numbered by their place. The rank of a row is this number plus the handicap of its
 * tenant, so that tenants with pieces under way come later. A row whose number exceeds the tenant's room is left out.
 * Then the same is done once more for teams: the rows of each are numbered by these ranks.
 *
 * An example: of one team, tenant 1 has a handicap of 1 and room for two, and its rows a, b and c wait. Tenant 2 has no
 * handicap, and its rows x and y wait. The ranks of a and b are 2 and 3, those of x and y are 1 and 2, and c is left
 * out. The order is x, then a and y by their place, then b.
 * @param turns absent: nobody has anything under way, and each owner has room for all
 * @param limit the number of rows to be claimed
 */
export function inTurns(
  { table, where, order, tenant, teams }: Claimable,
  turns: FairTurns | undefined,
  limit: number,
) {
  const ofTenants = levelOf('tenant', turns?.tenants, limit)
  const ofTeams = levelOf('team', turns?.teams, limit)
  const first = sql`(select id as candidate, ${tenant} as tenant, ${order} as place, 0 as rank from ${table}
    where ${where}
    ${ofTenants.full ? sql`and ${tenant} not in ${ofTenants.full}` : sql``}
    ${ofTeams.full ? sql`and ${tenant} not in (select tenant from ${teams} as owners where team in ${ofTeams.full})` : sql``}
    order by ${order}, id limit ${sql.lit(Math.max(LEAST_LOOKED_AT, LOOKED_AT * limit))})`
  const withTeams = sql`(select candidate, ranked.tenant, team, place, rank
    from ${ofTenants.ranked(first)} as ranked inner join ${teams} as owners on owners.tenant = ranked.tenant)`
  return ofTeams.ranked(withTeams)
}

/**
 * Writes the ranks of the rows of all tenants, or of all teams, as SQL.
 * @param shares absent: nothing is known of them, and each owner has room for `limit`
 */
function levelOf(level: keyof Owner, shares: Shares | undefined, limit: number) {
  const owner = sql.ref(level)
  const handicaps = [...(shares?.handicaps() ?? [])]
  const roomOf = (id: number | null) => shares?.roomOf(id) ?? limit
  const rooms = handicaps.map(([id]): [id: number, room: number] => [id, roomOf(id)])
  const full = rooms.filter(([, room]) => room <= 0).map(([id]) => sql.lit(id))
  return {
    /** The owners that may begin nothing; null when there are none. */
    full: full.length > 0 ? sql`(${sql.join(full)})` : null,
    /** Selects the rows for which their owner has room, each with its rank. */
    ranked: (rows: RawBuilder<unknown>) => sql`(
      select candidate, tenant, place, nth + ${ownValue(owner, handicaps, 0)} as rank
      from (select *, row_number() over (partition by ${owner} order by rank, place, candidate) as nth
        from ${rows} as waiting) as counted
      where nth <= ${ownValue(owner, rooms, roomOf(null))})`,
  }
}

/** Writes as SQL the value of an owner: one of those known, or the one of all others. */
function ownValue(owner: RawBuilder<unknown>, known: [id: number, value: number][], others: number) {
  if (known.length === 0) return sql.lit(others)
  const cases = known.map(([id, value]) => sql`when ${sql.lit(id)} then ${sql.lit(value)}`)
  return sql`case ${owner} ${sql.join(cases, sql` `)} else ${sql.lit(others)} end`
}
