import { Modal, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Reply } from '../../../api/types.ts'
import { FormButtons } from '../../../ui/FormButtons.tsx'
import { markField } from '../../../ui/mark-field.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'

interface ReplyFormProps {
  /** Null for a new one. */
  reply: Reply | null
  onClose: () => void
}

function valuesOf(reply: Reply | null) {
  const { shortcut = '', content = '', tags = [] } = reply ?? {}
  return { shortcut, content, tags }
}

export function ReplyForm({ reply, onClose }: ReplyFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { form, save } = useSeededForm(reply, {
    valuesOf,
    bodyOf: (values) => values,
    send: async (body) => {
      const stored = reply ? api.patch(`/replies/${reply.id}`, body) : api.post('/replies', body)
      return (await stored).data
    },
  })
  const saving = useAction({
    run: save,
    refresh: [key('replies'), key('conversation')],
    done: t('common.saved'),
    onDone: onClose,
    onRefused: (error) => markField(form, error),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(reply ? 'settings.replies.edit' : 'settings.replies.add')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack>
          <TextInput
            label={t('settings.replies.shortcut')}
            description={t('settings.replies.shortcutHint')}
            data-autofocus
            {...form.getInputProps('shortcut')}
          />
          <Textarea
            label={t('settings.replies.content')}
            description={t('settings.replies.contentHint')}
            autosize
            minRows={4}
            maxRows={12}
            dir="auto"
            {...form.getInputProps('content')}
          />
          <TagsInput
            label={t('settings.replies.tags')}
            description={t('settings.replies.tagsHint')}
            {...form.getInputProps('tags')}
          />
          <FormButtons isBusy={saving.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
