import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'

export interface ConfirmProps {
  title: string
  /** The description of what will happen. */
  text: ReactNode
  /** The name of the action, a verb. */
  action: string
  /** The text that must be typed first, for actions that cannot be undone. */
  typed?: string
  /** The colour of the action, if it can be undone. */
  color?: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
  /** The details of what will happen. */
  children?: ReactNode
}

/** Asks before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, text, action, typed, color = 'red', isBusy = false, onConfirm, onClose, children } = props
  const { t } = useTranslation()
  const [said, setSaid] = useState('')
  const isSaid = typed === undefined || said.trim() === typed.trim()
  return (
    <Dialog onClose={onClose} title={title}>
      <Form
        onSubmit={() => {
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
      </Form>
    </Dialog>
  )
}
