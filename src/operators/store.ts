import { type Kysely, sql } from 'kysely'
import { requiredTwoFactor } from '../agents/required-two-factor.ts'
import { countRows } from '../storage/count-rows.ts'
import { deleteSome } from '../storage/delete-some.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { pageOfTeam } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import { needsTwoFactor } from './needs-two-factor.ts'
import { scopeColumns } from './scope.ts'
import type { OperatorRow, OperatorSessionRow } from './tables.ts'

type Db = Kysely<Tables>

export async function insertOperator(
  db: Db,
  row: Pick<OperatorRow, 'team_id' | 'name' | 'email' | 'right' | 'created_at'> &
    Partial<Pick<OperatorRow, 'scope' | 'sees_unassigned'>>,
): Promise<OperatorRow> {
  return db.insertInto('operators').values(row).returningAll().executeTakeFirstOrThrow()
}

export const selectOperatorsPage = pageOfTeam((db) => db.selectFrom('operators').selectAll())

export async function selectOperators(db: Db, teamId: number): Promise<OperatorRow[]> {
  return db.selectFrom('operators').selectAll().where('team_id', '=', teamId).orderBy('id').execute()
}

/** Reads an operator of a team and locks the row until the transaction ends. */
export async function lockOperator(db: Db, teamId: number, id: number): Promise<OperatorRow | undefined> {
  return db
    .selectFrom('operators')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks the rows of some people of a team until the transaction ends, in the order of their ids. */
export async function lockOperators(
  db: Db,
  teamId: number,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('operators')
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function selectOperatorById(db: Db, id: number): Promise<OperatorRow | undefined> {
  return db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function selectOperatorNames(
  db: Db,
  ids: readonly number[],
): Promise<Pick<OperatorRow, 'id' | 'name'>[]> {
  return db.selectFrom('operators').select(['id', 'name']).where('id', 'in', ids).execute()
}

export async function selectOperatorByEmail(db: Db, email: string): Promise<OperatorRow | undefined> {
  return db.selectFrom('operators').selectAll().where('email', '=', email).executeTakeFirst()
}

export async function selectOperatorBySubject(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<OperatorRow | undefined> {
  return db
    .selectFrom('operators')
    .selectAll()
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .executeTakeFirst()
}

type Changeable = Omit<OperatorRow, 'id' | 'team_id' | 'created_at'>

/** The columns of an operator to change; undefined leaves a column unchanged. */
export type OperatorChange = { [Column in keyof Changeable]?: Changeable[Column] | undefined }

export async function updateOperator(db: Db, id: number, values: OperatorChange): Promise<OperatorRow> {
  return db.updateTable('operators').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteOperator(db: Db, id: number): Promise<void> {
  await db.deleteFrom('operators').where('id', '=', id).execute()
}

/** Reads the ids of a team's active owners and locks their rows until the transaction ends. */
export async function lockActiveOwners(db: Db, teamId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('operators')
    .select('id')
    .where('team_id', '=', teamId)
    .where('right', '=', 'own')
    .where('active', '=', 1)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertLink(
  db: Db,
  link: { hash: string; operator_id: number; expires_at: string },
): Promise<void> {
  await db.insertInto('operator_links').values(link).execute()
}

/** Uses up a link; returns true if it was still valid. */
export async function takeLink(db: Db, hash: string, now: string): Promise<boolean> {
  const taken = await db
    .deleteFrom('operator_links')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** Uses up the link of an operator if it is still valid; returns true if it was. */
export async function takeOpenLinkOf(db: Db, operatorId: number, now: string): Promise<boolean> {
  const taken = await db
    .deleteFrom('operator_links')
    .where('operator_id', '=', operatorId)
    .where('expires_at', '>', now)
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** Returns the operator's id of a link that is still valid; null when there is none. */
export async function selectLink(db: Db, hash: string, now: string): Promise<number | null> {
  const link = await db
    .selectFrom('operator_links')
    .select('operator_id')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link?.operator_id ?? null
}

export async function deleteLinksOf(db: Db, operatorId: number): Promise<void> {
  await db.deleteFrom('operator_links').where('operator_id', '=', operatorId).execute()
}

/**
 * Deletes links that expired before a time; returns the number of them. There are few, so they need no index by time.
 */
export function deleteLinksBefore(db: Db, now: string, limit: number): Promise<number> {
  const old = db.selectFrom('operator_links').select('hash').where('expires_at', '<=', now).limit(limit)
  return deleteSome(db, 'operator_links', ['hash'], old)
}

export async function insertSession(db: Db, row: Omit<OperatorSessionRow, 'id'>): Promise<number> {
  const { id } = await db
    .insertInto('operator_sessions')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Reads a session that has not expired, with its operator, who must be active. */
export const selectSession = prepared(
  (db, param: ParamOf<{ hash: string; now: string; used_after: string }>) =>
    db
      .selectFrom('operator_sessions')
      .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
      .innerJoin(requiredTwoFactor(db), 'team.id', 'operators.team_id')
      .where('operator_sessions.hash', '=', param('hash'))
      .where('operator_sessions.expires_at', '>', param('now'))
      .where('operator_sessions.used_at', '>', param('used_after'))
      .where('operators.active', '=', 1)
      .select([
        'operator_sessions.id as session_id',
        'operator_sessions.used_at',
        'operators.id',
        'operators.team_id',
        'operators.name',
        'operators.display_name',
        'operators.right',
        'operators.totp_secret',
        'operators.password_hash',
        'operators.oidc_subject',
        'team.require_two_factor',
      ])
      .select(scopeColumns),
)

/** Reads what an operator may see; undefined when there is no such active operator. */
export async function selectScope(db: Db, id: number) {
  return db
    .selectFrom('operators')
    .where('id', '=', id)
    .where('active', '=', 1)
    .select(['operators.id', 'operators.right'])
    .select(scopeColumns)
    .executeTakeFirst()
}

/** Reads the unexpired sessions with some ids, each with the right and scope of its operator, who must be active. */
export async function selectRightsOfSessions(
  db: Db,
  ids: readonly number[],
  { now, usedAfter }: { now: string; usedAfter: string },
) {
  if (ids.length === 0) return []
  return db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .innerJoin(requiredTwoFactor(db), 'team.id', 'operators.team_id')
    .where('operator_sessions.id', 'in', ids)
    .where('operator_sessions.expires_at', '>', now)
    .where('operator_sessions.used_at', '>', usedAfter)
    .where('operators.active', '=', 1)
    .select(scopeColumns)
    .select([
      'operator_sessions.id as session_id',
      'operators.id',
      'operators.right',
      'operators.totp_secret',
      'operators.password_hash',
      'operators.oidc_subject',
      'team.require_two_factor',
    ])
    .execute()
}

/** Notes that a session is used. @param until the time until which an available person stays available */
export async function touchSession(
  db: Db,
  id: number,
  operatorId: number,
  now: string,
  until: string,
): Promise<void> {
  await db.updateTable('operator_sessions').set({ used_at: now }).where('id', '=', id).execute()
  await db
    .updateTable('operators')
    .set({
      last_seen_at: now,
      available_until: sql<string | null>`case when available_until > ${now} then ${until} end`,
    })
    .where('id', '=', operatorId)
    .execute()
}

/** Returns those of some people who are available, and may answer, by their ids. */
export async function selectAvailable(db: Db, ids: readonly number[], now: string): Promise<number[]> {
  const rows = await db
    .selectFrom('operators')
    .innerJoin(requiredTwoFactor(db), 'team.id', 'operators.team_id')
    .select([
      'operators.id',
      'operators.totp_secret',
      'operators.password_hash',
      'operators.oidc_subject',
      'team.require_two_factor',
    ])
    .where('operators.id', 'in', ids)
    .where('active', '=', 1)
    .where('right', '!=', 'read')
    .where('available_until', '>', now)
    .orderBy('operators.id')
    .execute()
  return rows
    .filter((row) => !needsTwoFactor(row, { isRequired: row.require_two_factor === 1 }))
    .map(({ id }) => id)
}

export async function selectSessionsOf(
  db: Db,
  operatorId: number,
  { now, usedAfter }: { now: string; usedAfter: string },
): Promise<OperatorSessionRow[]> {
  return db
    .selectFrom('operator_sessions')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .where('expires_at', '>', now)
    .where('used_at', '>', usedAfter)
    .orderBy('id', 'desc')
    .execute()
}

/** Tells whether a session of an operator has not been ended. */
export async function hasSession(db: Db, operatorId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('operator_sessions')
    .select('id')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  return row !== undefined
}

export function countSessions(
  db: Db,
  { now, usedAfter }: { now: string; usedAfter: string },
): Promise<number> {
  return countRows(
    db.selectFrom('operator_sessions').where('used_at', '>', usedAfter).where('expires_at', '>', now),
  )
}

/** Ends a session of an operator and the pushes to its browser; returns true if there was one. */
export async function deleteSession(db: Db, operatorId: number, id: number): Promise<boolean> {
  await db
    .deleteFrom('push_browsers')
    .where('operator_id', '=', operatorId)
    .where('session_id', '=', id)
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('operator_sessions')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the sessions of an operator and the pushes to their browsers, except one that may stay. */
export async function deleteSessionsOf(db: Db, operatorId: number, keep: number | null): Promise<void> {
  await db
    .deleteFrom('push_browsers')
    .where('operator_id', '=', operatorId)
    .$if(keep !== null, (query) => query.where('session_id', '!=', keep))
    .execute()
  await db
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .$if(keep !== null, (query) => query.where('id', '!=', keep))
    .execute()
}

/** Deletes sessions that have expired; returns the number of them. */
export function deleteOldSessions(
  db: Db,
  { now, usedAfter, limit }: { now: string; usedAfter: string; limit: number },
): Promise<number> {
  const old = db
    .selectFrom('operator_sessions')
    .select('id')
    .where((where) => where.or([where('expires_at', '<=', now), where('used_at', '<=', usedAfter)]))
    .limit(limit)
  return deleteSome(db, 'operator_sessions', ['id'], old)
}
