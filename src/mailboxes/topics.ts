/** The topic of wake-ups for mailboxes. */
export const MAILBOXES = 'mailboxes'

/** The topic of wake-ups for items that were posted to many mailboxes at once. */
export const POSTED = 'posted'
