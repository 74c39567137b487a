import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface ConfirmProps {
  title: string
  /** What will happen. */
  text: ReactNode
  /** A verb. */
  action: string
  /** What must be typed first, where it cannot be undone. */
  typed?: string
  /** The colour of the action, where it can be undone. */
  color?: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
  /** What it looks like in detail. */
  children?: ReactNode
}

/** Asks before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, text, action, typed, color = 'red', isBusy = false, onConfirm, onClose, children } = props
  const { t } = useTranslation()
  const [said, setSaid] = useState('')
  const isSaid = typed === undefined || said.trim() === typed.trim()
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSaid) onConfirm()
        }}
      >
        <Stack>
          <Text className="foreign">{text}</Text>
          {children}
          {typed === undefined ? null : (
            <TextInput
              label={t('common.typeToConfirm', { text: typed })}
              value={said}
              onChange={(event) => setSaid(event.currentTarget.value)}
              data-autofocus
              autoComplete="off"
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" color={color} variant="filled" loading={isBusy} disabled={!isSaid}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
