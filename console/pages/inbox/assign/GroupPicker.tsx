import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useGroups } from '../../../api/groups.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import type { InboxEntry } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'
import { changeListed } from '../rows/use-inbox.ts'

interface GroupPickerProps {
  conversationId: string
  group: InboxEntry['group']
}

/** The group of a conversation, in a field that changes it at once. */
export function GroupPicker({ conversationId, group }: GroupPickerProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const groups = useGroups().data ?? []
  const changing = useAction({
    run: (to: InboxEntry['group']) =>
      api.put(`/conversations/${conversationId}/assignee`, { group_id: to?.id ?? null }),
    refresh: [key('conversation', conversationId)],
    done: t('inbox.assigned'),
    onDone: (_, to) => changeListed(conversationId, { group: to }),
  })
  if (!mayRespond) return group?.name ?? t('inbox.noGroup')
  return (
    <NativeSelect
      aria-label={t('inbox.group')}
      value={String(group?.id ?? '')}
      disabled={changing.isPending}
      onChange={(event) => {
        const found = groups.find(({ id }) => id === Number(event.currentTarget.value))
        changing.mutate(found ? { id: found.id, name: found.name } : null)
      }}
      data={[
        { value: '', label: t('inbox.noGroup') },
        ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}
