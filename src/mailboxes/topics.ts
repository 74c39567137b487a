/** The topic of wake-ups for mailboxes. */
export const MAILBOXES = 'mailboxes'

/** The topic of wake-ups for items that were posted to many mailboxes at once. */
export const POSTED = 'posted'

/** The topic on which processes hear that a platform has reported that people have a chat. */
export function takeoverTopic({ channel_id, thread }: { channel_id: number; thread: string }): string {
  return `takeover:${JSON.stringify([channel_id, thread])}`
}
