import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useGroups } from '../../../api/groups.ts'
import { useRight } from '../../../api/session.ts'
import type { InboxEntry } from '../../../api/types.ts'
import { useAssign } from './use-assign.ts'

interface GroupPickerProps {
  conversationId: string
  group: InboxEntry['group']
}

/** The group of a conversation, in a field that changes it at once. */
export function GroupPicker({ conversationId, group }: GroupPickerProps) {
  const { t } = useTranslation()
  const mayRespond = useRight('respond')
  const groups = useGroups().data ?? []
  const assigning = useAssign(conversationId)
  if (!mayRespond) return group?.name ?? t('inbox.noGroup')
  return (
    <NativeSelect
      aria-label={t('inbox.group')}
      value={String(group?.id ?? '')}
      disabled={assigning.isPending}
      onChange={(event) => {
        const found = groups.find(({ id }) => id === Number(event.currentTarget.value))
        assigning.mutate({ group: found ? { id: found.id, name: found.name } : null })
      }}
      data={[
        { value: '', label: t('inbox.noGroup') },
        ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}
