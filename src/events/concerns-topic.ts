/** The topic of wake-ups, in the same process, for what concerns people and is in no conversation's timeline. */
export const CONCERNS = 'concerns'
