import type { ChatParts } from './chat-parts.ts'
import type { KeptConversation } from './keep-conversation.ts'
import { type Conversation, type Message, Refusal } from './protocol.ts'
import { currentOf } from './state.ts'

/** Returns what a visitor can do in a conversation besides writing. */
export function visitorActs(
  { store, protocol, renew }: ChatParts,
  { meet, leave }: Pick<KeptConversation, 'meet' | 'leave'>,
) {
  return {
    askForPerson: () => change(protocol.person),
    end: () => change(protocol.end),
    /** Ends the conversation, if it has not ended, and shows an empty one; the first message opens it. */
    startAnew: () =>
      attempt(async () => {
        if (currentOf(store.state)) await protocol.end()
        leave()
      }),
    rate: (stars: number, comment: string) =>
      attempt(async () => {
        store.set({ stars })
        await protocol.rate(stars, comment)
        if (comment) store.set({ hasCommented: true })
      }),
    like: (message: Message, liked: boolean | null) =>
      attempt(async () => {
        const { completion_id: completionId } = message
        if (!completionId) return
        mark(message, { liked })
        store.set({ form: liked === false ? { completionId, kind: 'feedback' } : null })
        await protocol.like(completionId, liked)
      }),
    report: (message: Message, kind: 'flag' | 'feedback', text: string) =>
      attempt(async () => {
        const { completion_id: completionId } = message
        if (!completionId) return
        await protocol[kind](completionId, text)
        if (kind === 'flag') mark(message, { flagged: true })
        store.set({ form: null, thanked: [...store.state.thanked, completionId] })
      }),
    /** Returns what adds the files of a message to its bubble. */
    filesOf: (message: Pick<Message, 'conversation_id' | 'attachments'>) => (bubble: HTMLElement) => {
      if (message.attachments)
        import('./show-files.ts').then(
          (files) => files.show(bubble, message, protocol.call, attempt),
          () => {},
        )
    },
    /** Reports a click to the service, which counts them. The visitor is not told of a lost one. */
    clicked(
      completionId: string | null,
      kind: 'referral' | 'cta' | 'attribution' | 'footer',
      target: string,
    ) {
      if (completionId) protocol.click(completionId, kind, target).catch(() => {})
    },
  }

  /** Changes the conversation as the visitor was asked. */
  function change(act: () => Promise<Conversation>): Promise<void> {
    return attempt(async () => {
      store.set({ question: null })
      meet(await act())
    })
  }

  function mark(message: Message, marks: { liked: boolean | null } | { flagged: true }): void {
    const { completion } = message
    if (completion) store.add([{ ...message, completion: { ...completion, ...marks } }])
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    store.set({ hasFailed: false })
    try {
      await work()
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_visitor') await renew()
      store.set({ hasFailed: true })
    }
  }
}
