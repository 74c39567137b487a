import type { Kysely } from 'kysely'
import { rightsOfPairs } from '../credentials/rights-of-pairs.ts'
import type { Admission } from '../http/member.ts'
import type { Right } from '../http/rights.ts'
import { rightsOfSessions } from '../operators/sessions.ts'
import type { Tables } from '../storage/tables.ts'
import { admittedVisitors } from '../widgets/admitted-visitors.ts'

/** Reads the present rights of admissions: null for those whose credential has ended. */
export async function rightsOfAdmitted(
  db: Kysely<Tables>,
  admissions: readonly Admission[],
  nowMs: number,
): Promise<(admission: Admission) => Right | null> {
  const pairs = admissions.filter((admission) => admission.kind === 'pair')
  const sessions = admissions.filter((admission) => admission.kind === 'session')
  const ofPair = await rightsOfPairs(db, pairs, nowMs)
  const ofSessions = await rightsOfSessions(
    db,
    sessions.map(({ sessionId }) => sessionId),
    nowMs,
  )
  const visitors = admissions.filter((admission) => admission.kind === 'visitor')
  const isVisitor = await admittedVisitors(db, visitors, nowMs)
  return (admission) => {
    if (admission.kind === 'pair') return ofPair(admission)
    if (admission.kind === 'visitor') return isVisitor(admission) ? 'chat' : null
    return ofSessions.get(admission.sessionId) ?? null
  }
}
