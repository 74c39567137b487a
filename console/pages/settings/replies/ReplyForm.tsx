import { TagsInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Reply } from '../../../api/types.ts'
import { RecordForm } from '../RecordForm.tsx'

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
  return (
    <RecordForm
      title={t(reply ? 'settings.replies.edit' : 'settings.replies.add')}
      record={reply}
      valuesOf={valuesOf}
      bodyOf={(values) => values}
      send={async (body) => {
        const stored = reply ? api.patch(`/replies/${reply.id}`, body) : api.post('/replies', body)
        return (await stored).data
      }}
      refresh={[key('replies'), key('conversation')]}
      onClose={onClose}
    >
      {(form) => (
        <>
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
        </>
      )}
    </RecordForm>
  )
}
