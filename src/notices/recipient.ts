import type { Kysely } from 'kysely'
import { includes } from '../http/rights.ts'
import { readOperator, scopeOfOperator } from '../operators/find-operator.ts'
import type { Operator } from '../operators/operator.ts'
import type { Tables } from '../storage/tables.ts'
import { kindNames, kinds, type NoticeKind } from './kinds.ts'
import type { Noticed } from './store.ts'

/** A person who gets notices, and those that they may get now. */
export interface Recipient extends Noticed {
  person: Operator
  /** The kinds for which they have the right. */
  kinds: readonly NoticeKind[]
}

/** Reads a person who may still get notices; null: they are gone or inactive. */
export async function recipient(db: Kysely<Tables>, id: number): Promise<Recipient | null> {
  const person = await readOperator(db, id)
  if (!person?.active) return null
  const allowed = kindNames.filter((kind) => includes(person.right, kinds[kind]))
  return { person, operatorId: id, scope: await scopeOfOperator(db, id), kinds: allowed }
}
