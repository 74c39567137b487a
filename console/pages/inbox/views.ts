/** Which conversations are shown, as the service names them. `open` holds those before it. */
export const views = ['waiting', 'mine', 'unassigned', 'open', 'paused', 'ended', 'all'] as const
export type View = (typeof views)[number]

/** `latest`: the newest message first; `waiting`: who waits longest first. */
export type Sort = 'latest' | 'waiting'
