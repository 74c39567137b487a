import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Refusal } from '../../../api/client.ts'
import { useAgent, useWho } from '../../../api/session.ts'
import { sendAnswer } from '../../../api/unsent.ts'
import { useAction } from '../../../ui/use-action.ts'
import type { ChosenFile, OpenFiles } from '../files/use-files.ts'
import type { Marks, Mode, OpenDraft } from './use-draft.ts'

interface SendingOptions {
  conversationId: string
  mode: Mode
  draft: OpenDraft
  /** The files of the answer; null where none can be sent. */
  files: OpenFiles | null
  lastMessageId: number | null
  onSent: () => void
}

/** An answer or a note that is being sent. */
interface Outgoing {
  text: string
  marks: Marks
  files: readonly ChosenFile[]
}

/** Sends what was written. An answer is held back once if the conversation has gone on while it was written. */
export function useSending({ conversationId, mode, draft, files, lastMessageId, onSent }: SendingOptions) {
  const { id: agentId, api, key } = useAgent()
  const { operator } = useWho()
  const queries = useQueryClient()
  const { text, marks, release, forget, giveBack } = draft
  /** The newest message when there began to be something to send; an answer that came since should be read first. */
  const [after, setAfter] = useState<number | null>(null)
  const [hasMoved, setMoved] = useState(false)
  const sending = useAction({
    /** @returns true if it was sent; an answer may also wait until it can be sent */
    run: async ({ text, marks, files: sent }: Outgoing) => {
      // An answer is kept until the service has it.
      release(mode === 'reply')
      if (mode === 'note') {
        await api.post(`/conversations/${conversationId}/notes`, { text })
        return true
      }
      return sendAnswer(operator.id, {
        agentId,
        conversationId,
        content: text,
        attachments: sent.flatMap(({ stored }) => stored ?? []),
        ...marks,
        after: hasMoved ? null : after,
      })
    },
    refresh: [key('conversation', conversationId), key('inbox')],
    onDone: (isSent, { files: sent }) => {
      files?.remove(sent)
      forget(isSent)
      setMoved(false)
      onSent()
    },
    onRefused: (error, { text, marks }) => {
      giveBack(text, marks)
      const code = error instanceof Refusal ? error.code : null
      // The reply window has closed while this person wrote, so read again until when it was open.
      if (code === 'window_closed')
        void queries.invalidateQueries({ queryKey: key('conversation', conversationId, 'entry') })
      if (code === 'conversation_moved') setMoved(true)
      return code === 'conversation_moved'
    },
  })
  const { isPending } = sending
  const isEmpty = text === '' && !files?.list.length && !isPending
  useEffect(() => {
    // A draft may be there before the thread is.
    setAfter((known) => (isEmpty ? null : (known ?? lastMessageId)))
  }, [isEmpty, lastMessageId])
  return {
    isSending: isPending,
    hasMoved,
    send: () => sending.mutate({ text, marks, files: files?.list ?? [] }),
  }
}
