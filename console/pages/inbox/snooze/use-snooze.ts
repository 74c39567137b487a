import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { useAction } from '../../../ui/use-action.ts'
import { changeListed } from '../rows/use-inbox.ts'

/** Puts a conversation aside until a time, or brings it back. */
export function useSnooze(conversationId: string) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  return useAction({
    run: (until: string | null) => api.put(`/conversations/${conversationId}/snooze`, { until }),
    refresh: [key('conversation', conversationId)],
    done: t('common.saved'),
    onDone: (_, snoozed_until) => changeListed(conversationId, { snoozed_until }),
  })
}
