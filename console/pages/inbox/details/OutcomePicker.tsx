import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Outcome, outcomes } from '../../../../src/transcripts/conversations/outcomes.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import type { InboxEntry } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'

interface OutcomePickerProps {
  conversationId: string
  outcome: InboxEntry['outcome']
}

/** The outcome of a conversation, in a field that changes it at once. */
export function OutcomePicker({ conversationId, outcome }: OutcomePickerProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const saving = useAction({
    run: (outcome: Outcome) => api.put(`/conversations/${conversationId}/outcome`, { outcome }),
    refresh: [key('conversation', conversationId)],
    done: t('common.saved'),
  })
  if (!mayRespond) return outcome && t(`inbox.outcomes.${outcome}`)
  return (
    <NativeSelect
      aria-label={t('inbox.outcome')}
      value={outcome ?? ''}
      disabled={saving.isPending}
      onChange={(event) => saving.mutate(event.currentTarget.value as Outcome)}
      data={[
        ...(outcome === null ? [{ value: '', label: '' }] : []),
        ...outcomes.map((value) => ({ value, label: t(`inbox.outcomes.${value}`) })),
      ]}
    />
  )
}
