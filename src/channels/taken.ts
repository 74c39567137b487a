/** The state of an item that said nothing to answer, and of which nothing is kept. */
export const TAKEN = { state: 'done', payload: null, error: null } as const
