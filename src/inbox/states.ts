/** The states of conversations in the inbox. Those that are unassigned or assigned are open. */
export const UNASSIGNED = 0
export const ASSIGNED = 1
export const ENDED = 2
export const SNOOZED = 3

export type InboxState = typeof UNASSIGNED | typeof ASSIGNED | typeof ENDED | typeof SNOOZED
