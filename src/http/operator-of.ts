import { ApiError } from '../errors.ts'

/** The actor of a request: a person, or a program. */
export interface Acting {
  readonly actor: { readonly kind: string; readonly id: number | null }
}

/** Returns the id of the person who acts; null: it is a program. */
export function personOf({ actor }: Acting): number | null {
  return actor.kind === 'operator' ? actor.id : null
}

/**
 * Returns the id of the person who makes a request that only people can make.
 * @throws ApiError operator_needed for a program
 */
export function operatorOf(acting: Acting): number {
  const person = personOf(acting)
  if (person === null) throw new ApiError('operator_needed')
  return person
}

/**
 * Returns the id of the person who keeps a row for themselves; null: everybody shares it.
 * @param shared what the request says; undefined: the keeper stays
 * @param present the row as it is, if it exists
 * @throws ApiError operator_needed for a program that wants one of its own
 */
export function keeperOf(
  acting: Acting,
  shared: boolean | undefined,
  present?: { operator_id: number | null },
): number | null {
  if (present && (shared === undefined || shared === (present.operator_id === null)))
    return present.operator_id
  return shared ? null : operatorOf(acting)
}
