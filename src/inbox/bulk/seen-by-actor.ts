import type { Kysely } from 'kysely'
import type { Actor } from '../../audit/record.ts'
import type { Scope } from '../../http/scope.ts'
import { scopeOfOperator } from '../../operators/find-operator.ts'
import type { Tables } from '../../storage/tables.ts'
import { thoseInScope } from '../../transcripts/doors/by-filter.ts'

/** Tells whether the actor may see a conversation now. */
export async function isSeen(
  db: Kysely<Tables>,
  agentId: number,
  actor: Actor,
  id: string,
): Promise<boolean> {
  const owner = { agentId, scope: await scopeOf(db, actor) }
  return (await thoseInScope(db, owner, [id])).length > 0
}

/** Reads the scope of conversations that the actor may see now; null: all. */
export async function scopeOf(db: Kysely<Tables>, { kind, id }: Actor): Promise<Scope | null> {
  return kind === 'operator' && id !== null ? scopeOfOperator(db, id) : null
}
