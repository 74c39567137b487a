import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useColleagues } from '../../../api/colleagues.ts'
import { useWho } from '../../../api/session.ts'
import { type Named, useAssign } from './use-assign.ts'

interface AssigneePickerProps {
  conversationId: string
  assignee: Named | null
}

/** The assignee of a conversation, in a field that changes it at once. */
export function AssigneePicker({ conversationId, assignee }: AssigneePickerProps) {
  const { t } = useTranslation()
  const { operator } = useWho()
  const colleagues = useColleagues()
  const assigning = useAssign(conversationId)
  const known = assignee && !colleagues.some(({ id }) => id === assignee.id) ? [assignee] : []
  return (
    <NativeSelect
      aria-label={t('inbox.assignee')}
      value={String(assignee?.id ?? '')}
      disabled={assigning.isPending}
      onChange={(event) => {
        const id = Number(event.currentTarget.value)
        assigning.mutate({ assignee: colleagues.find((colleague) => colleague.id === id) ?? null })
      }}
      data={[
        { value: '', label: t('inbox.views.unassigned') },
        ...[...known, ...colleagues].map(({ id, name }) => ({
          value: String(id),
          label: id === operator.id ? t('inbox.me', { name }) : name,
        })),
      ]}
    />
  )
}
