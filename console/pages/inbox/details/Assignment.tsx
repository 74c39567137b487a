import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRight, useWho } from '../../../api/session.ts'
import type { InboxEntry } from '../../../api/types.ts'
import { AssigneePicker } from '../assign/AssigneePicker.tsx'
import { useAssign } from '../assign/use-assign.ts'

interface AssignmentProps {
  conversationId: string
  assignee: InboxEntry['assignee']
}

/** The person who looks after the conversation. */
export function Assignment({ conversationId, assignee }: AssignmentProps) {
  const { t } = useTranslation()
  const { operator } = useWho()
  const mayRespond = useRight('respond')
  const assigning = useAssign(conversationId)
  if (!mayRespond) return assignee?.name ?? t('inbox.views.unassigned')
  const isMine = assignee?.id === operator.id
  return (
    <Stack gap={4} align="flex-start">
      <AssigneePicker conversationId={conversationId} assignee={assignee} />
      <Button
        variant="default"
        loading={assigning.isPending}
        onClick={() => assigning.mutate({ assignee: isMine ? null : operator })}
      >
        {isMine ? t('inbox.release') : t('inbox.assignToMe')}
      </Button>
    </Stack>
  )
}
