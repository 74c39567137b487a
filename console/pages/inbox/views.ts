/** The views of the inbox, as the service names them. `open` includes those before it, and `paused`. */
export const views = ['waiting', 'mine', 'unassigned', 'open', 'paused', 'snoozed', 'ended', 'all'] as const
export type View = (typeof views)[number]

/** `latest` puts the newest message first, `waiting` the user who has waited longest, `priority` the most urgent. */
export const sorts = ['latest', 'waiting', 'priority', 'due'] as const
export type Sort = (typeof sorts)[number]
