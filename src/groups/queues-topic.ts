/** The topic of wake-ups after which a group may have somebody for a conversation that waits in it. */
export const QUEUES = 'queues of groups'
