import { Button, Modal, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Priority, priorities } from '../../../../src/transcripts/conversations/priority.ts'

interface PriorityDialogProps {
  onChoose: (priority: Priority) => void
  onClose: () => void
}

/** Asks how urgent conversations are. */
export function PriorityDialog({ onChoose, onClose }: PriorityDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('inbox.priority')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
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
    </Modal>
  )
}
