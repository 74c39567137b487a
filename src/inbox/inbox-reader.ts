import type { Kysely } from 'kysely'
import type { Caller } from '../http/member.ts'
import { type Acting, operatorOf, personOf } from '../http/operator-of.ts'
import { joinedAtOf } from '../operators/find-operator.ts'
import type { Tables } from '../storage/tables.ts'
import type { InboxQuery } from './inbox-query.ts'

/** The person who looks into an inbox. */
export interface InboxReader {
  readonly operatorId: number
  /** Everything before they joined counts as read. */
  readonly joinedAt: string
}

/** Returns the person who acts, as a reader of the inbox; null for a program. */
export async function readerOf(db: Kysely<Tables>, acting: Acting): Promise<InboxReader | null> {
  const operatorId = personOf(acting)
  return operatorId === null ? null : { operatorId, joinedAt: await joinedAtOf(db, operatorId) }
}

/**
 * Returns the reader of a query.
 * @throws ApiError operator_needed if a program asks for a view or filter that only a person has
 */
export async function readerFor(
  db: Kysely<Tables>,
  caller: Caller,
  query: Pick<InboxQuery, 'view' | 'unread'>,
): Promise<InboxReader | null> {
  if (isForPeople(query)) operatorOf(caller)
  return readerOf(db, caller)
}

/** Tells whether a query has a view or filter that only a person has. */
export function isForPeople({ view, unread }: Pick<InboxQuery, 'view' | 'unread'>): boolean {
  return view === 'mine' || unread !== undefined
}
