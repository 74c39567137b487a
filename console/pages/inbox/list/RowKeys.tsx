import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Conversation } from '../../../api/types.ts'
import { useActions } from '../../../ui/page-actions.ts'
import { useListed } from '../rows/use-listed.ts'
import { useConversationActions } from '../use-conversation-actions.ts'

interface RowKeysProps {
  conversationId: string
  /** Called before the key ends the conversation and opens the next one, whatever the person's setting. */
  onEndAndNext: () => void
}

/** The keys that act on a conversation. They come with the list, so that none is lost while a script loads. */
export function RowKeys({ conversationId, onEndAndNext }: RowKeysProps) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const listed = useListed(conversationId)
  // The open conversation may be in no list that was read, but its own page has read it.
  const opened = useQuery<Conversation>({ queryKey: key('conversation', conversationId), enabled: false })
  const row = listed ?? opened.data
  const { takeOver, handBack, end, reopen } = useConversationActions(conversationId)
  const isOpen = row !== undefined && row.ended_at === null
  useActions(
    isOpen
      ? [
          { id: 'end', label: t('inbox.endIt'), key: 'e', run: () => end.mutate() },
          {
            id: 'end and next',
            label: t('inbox.endAndNext'),
            key: 'E',
            run: () => {
              onEndAndNext()
              end.mutate()
            },
          },
          row.agent_paused
            ? { id: 'hand back', label: t('inbox.handBack'), key: 'b', run: () => handBack.mutate() }
            : { id: 'take over', label: t('inbox.takeOver'), key: 'o', run: () => takeOver.mutate() },
        ]
      : row
        ? [{ id: 'reopen', label: t('inbox.reopenIt'), key: 'e', run: () => reopen.mutate() }]
        : [],
  )
  return null
}
