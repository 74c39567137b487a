import type { ExtraOptions } from './extra.ts'
import { postAsVisitor } from './post-as-visitor.ts'

/** Tells the service what the visitor sees, so that it does not go by mail. */
export function tellSeen({ frame, chat, life }: ExtraOptions) {
  /** The id of the newest message that the service knows to be seen. */
  let reported = 0
  document.addEventListener('visibilitychange', tell, { signal: life })
  return {
    tell,
    clear() {
      reported = 0
    },
  }

  function tell(): void {
    const { conversation, messages } = chat().state
    const newest = messages.at(-1)
    if (!conversation?.mail_to || !newest || newest.id <= reported) return
    if (frame.panel.hidden || document.visibilityState === 'hidden') return
    const before = reported
    reported = newest.id
    const body = { message_id: newest.id, conversation_id: newest.conversation_id }
    void postAsVisitor(chat(), 'seen', body).then((answer) => {
      // It is reported again with the next change.
      if (!answer?.ok && reported === newest.id) reported = before
    })
  }
}
