import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Priority } from '../../../../src/transcripts/conversations/priority.ts'
import { useRight } from '../../../api/session.ts'
import { priorityChoices } from '../../../ui/priorities.ts'
import { usePriority } from './use-priority.ts'

interface PriorityPickerProps {
  conversationId: string
  priority: Priority
}

/** The priority of a conversation, in a field that changes it at once. */
export function PriorityPicker({ conversationId, priority }: PriorityPickerProps) {
  const { t } = useTranslation()
  const mayRespond = useRight('respond')
  const saving = usePriority(conversationId)
  if (!mayRespond) return t(`inbox.priorities.${priority}`)
  return (
    <NativeSelect
      aria-label={t('inbox.priority')}
      value={priority}
      disabled={saving.isPending}
      onChange={(event) => saving.mutate(event.currentTarget.value as Priority)}
      data={priorityChoices(t)}
    />
  )
}
