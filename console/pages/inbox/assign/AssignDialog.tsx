import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useColleagues } from '../../../api/colleagues.ts'
import { useWho } from '../../../api/session.ts'
import type { Assignee } from './use-assign.ts'

interface AssignDialogProps {
  /** The number of selected conversations; undefined if the dialog is about a single one. */
  count: number | undefined
  onAssign: (to: Assignee | null) => void
  onClose: () => void
}

/** Asks for the assignee: oneself first, then nobody, then colleagues by name. Enter takes the first that matches. */
export function AssignDialog({ count, onAssign, onClose }: AssignDialogProps) {
  const { t } = useTranslation()
  const { operator } = useWho()
  const colleagues = useColleagues()
  const [typed, setTyped] = useState('')
  const me = { id: operator.id, name: operator.name }
  const choices = [
    { to: me, label: t('inbox.me', { name: me.name }) },
    { to: null, label: t('inbox.views.unassigned') },
    ...colleagues.filter(({ id }) => id !== me.id).map((to) => ({ to, label: to.name })),
  ].filter(({ label }) => label.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase()))
  const choose = (to: Assignee | null) => {
    onAssign(to)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={count === undefined ? t('inbox.assign') : t('inbox.assignMany', { count })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (choices[0]) choose(choices[0].to)
        }}
      >
        <Stack gap="xs">
          <TextInput
            label={t('inbox.assignTo')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Stack gap={0} role="group" aria-label={t('inbox.assignTo')}>
            {choices.map(({ to, label }) => (
              <Button
                key={to?.id ?? 'nobody'}
                variant="subtle"
                color="gray"
                c="inherit"
                fw={400}
                justify="flex-start"
                onClick={() => choose(to)}
              >
                <bdi>{label}</bdi>
              </Button>
            ))}
          </Stack>
          {choices.length === 0 ? <Text c="dimmed">{t('inbox.noColleague')}</Text> : null}
        </Stack>
      </form>
    </Modal>
  )
}
