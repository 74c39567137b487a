import { ApiError } from '../errors.ts'

/** Whoever acts: a person, or a program. */
interface Acting {
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
