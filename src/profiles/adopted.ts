import { readAttributes } from '../users/known-users.ts'
import type { UserRow } from '../users/tables.ts'
import { LARGEST_ATTRIBUTES, MOST_ATTRIBUTES } from './schemas.ts'

/** The fields of a person's profile that come from end users who were merged into them, who may leave again. */
interface Adopted {
  name?: true
  blocked?: true
  attributes: readonly string[]
  /** The attributes, and the name, that people have removed although one of these end users has them. */
  removed?: Removed
}

interface Removed {
  name?: true
  attributes: readonly string[]
}

type Profile = Pick<UserRow, 'name' | 'attributes' | 'blocked_at' | 'adopted'>

function readAdopted(stored: string | null): Adopted {
  return stored === null ? { attributes: [] } : (JSON.parse(stored) as Adopted)
}

function writeAdopted(adopted: Adopted): string | null {
  const { name, blocked, attributes, removed } = adopted
  return name || blocked || removed || attributes.length > 0 ? JSON.stringify(adopted) : null
}

function partOf(removed: Removed): Pick<Adopted, 'removed'> {
  return removed.name || removed.attributes.length > 0 ? { removed } : {}
}

/**
 * Returns the fields that still come from others, once people have set some, or removed them by setting null.
 * @param others the end users who were merged into the person
 */
export function stillAdopted(
  stored: string | null,
  set: { name?: unknown; blocked?: unknown; attributes?: Readonly<Record<string, unknown>> | undefined },
  others: readonly Profile[] = [],
): string | null {
  const { name, blocked, attributes, removed } = readAdopted(stored)
  const values = set.attributes ?? {}
  const theirs = others.map(ownOf)
  const namesRemoved = Object.keys(values).filter(
    (one) => values[one] === null && theirs.some((their) => Object.hasOwn(their.attributes, one)),
  )
  const isNameRemoved =
    set.name === undefined ? removed?.name : set.name === null && theirs.some((their) => their.name !== null)
  return writeAdopted({
    ...(name && set.name === undefined ? { name } : {}),
    ...(blocked && set.blocked === undefined ? { blocked } : {}),
    attributes: attributes.filter((one) => !Object.hasOwn(values, one)),
    ...partOf({
      ...(isNameRemoved ? { name: true } : {}),
      attributes: [
        ...(removed?.attributes ?? []).filter((one) => !Object.hasOwn(values, one)),
        ...namesRemoved,
      ],
    }),
  })
}

/** Returns a profile without the fields that come from others. */
function ownOf({ name, attributes, blocked_at, adopted }: Profile) {
  const others = readAdopted(adopted)
  const own = Object.entries(readAttributes(attributes)).filter(([one]) => !others.attributes.includes(one))
  return {
    name: others.name ? null : name,
    blocked_at: others.blocked ? null : blocked_at,
    attributes: Object.fromEntries(own),
  }
}

/**
 * Returns the profile of a person. Their own fields come first; a missing one is taken from the first end user merged
 * into them who has it, unless people have removed it. The person is blocked when one of these end users is.
 */
export function adopt(person: Profile, others: readonly Profile[]): Profile {
  const own = ownOf(person)
  const theirs = others.map(ownOf)
  const removed = readAdopted(person.adopted).removed
  /** The removed fields that would still come from somebody. */
  const kept: Removed = {
    ...(removed?.name && theirs.some((one) => one.name !== null) ? { name: true } : {}),
    attributes: (removed?.attributes ?? []).filter((name) =>
      theirs.some((one) => Object.hasOwn(one.attributes, name)),
    ),
  }
  const find = <T>(read: (one: typeof own) => T | null) =>
    [own, ...theirs].map(read).find((value) => value !== null) ?? null
  const attributes = { ...own.attributes }
  for (const [name, value] of theirs.flatMap((one) => Object.entries(one.attributes))) {
    if (Object.hasOwn(attributes, name) || kept.attributes.includes(name)) continue
    const more = { ...attributes, [name]: value }
    const fits =
      Object.keys(more).length <= MOST_ATTRIBUTES && JSON.stringify(more).length <= LARGEST_ATTRIBUTES
    if (fits) attributes[name] = value
  }
  const name = kept.name ? own.name : find((one) => one.name)
  const blocked_at = find((one) => one.blocked_at)
  return {
    name,
    blocked_at,
    attributes: Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes),
    adopted: writeAdopted({
      ...(name !== own.name ? { name: true } : {}),
      ...(blocked_at !== own.blocked_at ? { blocked: true } : {}),
      attributes: Object.keys(attributes).filter((one) => !Object.hasOwn(own.attributes, one)),
      ...partOf(kept),
    }),
  }
}
