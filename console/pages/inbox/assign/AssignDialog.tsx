import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useColleagues } from '../../../api/colleagues.ts'
import { useGroups } from '../../../api/groups.ts'
import { useWho } from '../../../api/session.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import type { Assignment } from './use-assign.ts'

interface AssignDialogProps {
  /** The number of selected conversations; undefined if the dialog is about a single one. */
  count: number | undefined
  onAssign: (to: Assignment) => void
  onClose: () => void
}

/**
 * Asks whom to assign to: oneself first, then nobody, then colleagues by name, then groups. Enter takes the first whose
 * name contains what was typed.
 */
export function AssignDialog({ count, onAssign, onClose }: AssignDialogProps) {
  const { t } = useTranslation()
  const { operator } = useWho()
  const colleagues = useColleagues()
  const { data: groups = [] } = useGroups()
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLocaleLowerCase()
  const fitting = (choices: { to: Assignment; label: string }[]) =>
    choices.filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
  const { id, name } = operator
  const people = fitting([
    { to: { assignee: { id, name } }, label: t('inbox.me', { name }) },
    { to: { assignee: null }, label: t('inbox.views.unassigned') },
    ...colleagues
      .filter((one) => one.id !== id)
      .map((assignee) => ({ to: { assignee }, label: assignee.name })),
  ])
  const departments = fitting(
    groups.length === 0
      ? []
      : [
          ...groups.map(({ id, name }) => ({ to: { group: { id, name } }, label: name })),
          { to: { group: null }, label: t('inbox.noGroup') },
        ],
  )
  const choices = [...people, ...departments]
  const choose = (to: Assignment) => {
    onAssign(to)
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title={count === undefined ? t('inbox.assign') : t('inbox.assignMany', { count })}
    >
      <Form
        onSubmit={() => {
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
          {[
            { title: t('inbox.people'), choices: people },
            { title: t('inbox.groups'), choices: departments },
          ].map(({ title, choices }) =>
            choices.length === 0 ? null : (
              <Stack key={title} gap={0} role="group" aria-label={title}>
                {groups.length === 0 ? null : (
                  <Text c="dimmed" size="secondary" px="sm" aria-hidden>
                    {title}
                  </Text>
                )}
                {choices.map(({ to, label }) => (
                  <Button
                    key={JSON.stringify(to)}
                    variant="subtle"
                    color="gray"
                    c="inherit"
                    fw={400}
                    px="sm"
                    justify="flex-start"
                    onClick={() => choose(to)}
                  >
                    <bdi>{label}</bdi>
                  </Button>
                ))}
              </Stack>
            ),
          )}
          {choices.length === 0 ? <Text c="dimmed">{t('inbox.noColleague')}</Text> : null}
        </Stack>
      </Form>
    </Dialog>
  )
}
