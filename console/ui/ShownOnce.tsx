import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyText } from './CopyText.tsx'

interface ShownOnceProps {
  title: string
  text: string
  secrets: { label: string; value: string }[]
  onClose: () => void
}

/** A secret that nobody can read again, so only the button closes it, not a click beside it. */
export function ShownOnce({ title, text, secrets, onClose }: ShownOnceProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text>{text}</Text>
        {secrets.map(({ label, value }) => (
          <CopyText key={label} label={label} value={value} />
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.copiedIt')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
