import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'

/** Values by the tag's name; null removes the tag. */
export type TagChange = Record<string, string | null>

interface TagDialogProps {
  /** The number of selected conversations; undefined if the dialog is about a single one. */
  count: number | undefined
  onTag: (tags: TagChange) => void
  onClose: () => void
}

/** Asks for a tag to set or to remove. */
export function TagDialog({ count, onTag, onClose }: TagDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const isNamed = name.trim() !== ''
  const change = (to: string | null) => {
    if (!isNamed) return
    onTag({ [name.trim()]: to })
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={count === undefined ? t('inbox.tag') : t('inbox.tagMany', { count })}>
      <Form onSubmit={() => change(value.trim())}>
        <Stack>
          <TextInput
            label={t('inbox.tagName')}
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label={t('inbox.tagValue')}
            maxLength={200}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            autoComplete="off"
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={!isNamed} onClick={() => change(null)}>
              {t('inbox.untag')}
            </Button>
            <Button type="submit" disabled={!isNamed}>
              {t('inbox.setTag')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
