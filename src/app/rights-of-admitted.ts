import type { Kysely } from 'kysely'
import { rightsOfPairs } from '../credentials/rights-of-pairs.ts'
import type { Admission } from '../http/member.ts'
import type { Admitted } from '../live/end-unadmitted.ts'
import { rightsOfSessions } from '../operators/sessions.ts'
import type { Tables } from '../storage/tables.ts'
import { admittedVisitors } from '../widgets/admitted-visitors.ts'

/** Reads the present rights and scopes of admissions: null for those whose credential has ended. */
export async function rightsOfAdmitted(
  db: Kysely<Tables>,
  admissions: readonly Admission[],
  nowMs: number,
): ReturnType<Admitted> {
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
    if (admission.kind === 'session') return ofSessions.get(admission.sessionId) ?? null
    const ofVisitor = () => (admission.kind === 'visitor' && isVisitor(admission) ? 'chat' : null)
    const right = admission.kind === 'pair' ? ofPair(admission) : ofVisitor()
    return right && { right, scope: null }
  }
}
