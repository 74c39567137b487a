import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Priority, priorities } from '../../../../src/transcripts/conversations/priority.ts'
import { Dialog } from '../../../ui/Dialog.tsx'

interface PriorityDialogProps {
  onChoose: (priority: Priority) => void
  onClose: () => void
}

/** Asks how urgent conversations are. */
export function PriorityDialog({ onChoose, onClose }: PriorityDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog onClose={onClose} title={t('inbox.priority')}>
      <Stack gap={0} role="group" aria-label={t('inbox.priority')}>
        {priorities.map((priority) => (
          <Button
            key={priority}
            variant="subtle"
            color="gray"
            c="inherit"
            fw={400}
            justify="flex-start"
            {...(priority === priorities[0] ? { 'data-autofocus': true } : {})}
            onClick={() => {
              onChoose(priority)
              onClose()
            }}
          >
            {t(`inbox.priorities.${priority}`)}
          </Button>
        ))}
      </Stack>
    </Dialog>
  )
}
