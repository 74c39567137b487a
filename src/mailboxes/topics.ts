/** The topic of wake-ups for mailboxes. */
export const MAILBOXES = 'mailboxes'

/** The topic of wake-ups for items that were posted to many mailboxes at once. */
export const POSTED = 'posted'

/** Returns the topic that reports, to all processes, that people on the platform have taken over a chat. */
export function takeoverTopic({ channel_id, thread }: { channel_id: number; thread: string }): string {
  return `takeover:${JSON.stringify([channel_id, thread])}`
}
