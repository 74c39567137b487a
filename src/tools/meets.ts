import type { Requirement, ToolUser } from './tool.ts'

/** Returns the id of the user for a tool; null when the id is less certain than the tool requires. */
export function idFor(requires: Requirement, user: ToolUser | null): string | null {
  if (user === null) return null
  return requires === 'verified' ? user.provenId : user.id
}

/** Tells whether a tool may be called for a user. */
export function meets(requires: Requirement, user: ToolUser | null): boolean {
  return requires === 'none' || idFor(requires, user) !== null
}
