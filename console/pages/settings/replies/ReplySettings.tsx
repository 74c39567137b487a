import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { useList } from '../../../api/use-list.ts'
import { SpeechIcon } from '../../../ui/icons.tsx'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Records } from '../Records.tsx'
import { ReplyForm } from './ReplyForm.tsx'

/** The canned replies of the team. */
export function ReplySettings() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const [q, setQ] = useState('')
  const replies = useList(key('replies'), api, '/replies', { q })
  return (
    <Records
      title={t('settings.areas.replies')}
      lead={t('settings.replies.lead')}
      query={replies}
      itemsOf={({ items }) => items}
      empty={{
        icon: SpeechIcon,
        title: t(q === '' ? 'settings.replies.empty' : 'settings.replies.noMatch'),
        text: t(q === '' ? 'settings.replies.emptyText' : 'settings.replies.noMatchText'),
      }}
      above={
        <TextInput
          label={t('settings.replies.find')}
          value={q}
          onChange={(event) => setQ(event.currentTarget.value)}
          maxLength={200}
        />
      }
      below={<NextPage query={replies} />}
      nameOf={({ shortcut }) => shortcut}
      rowOf={({ shortcut, content, tags }) => ({
        title: `/${shortcut}`,
        about: (
          <>
            <Text size="secondary" lineClamp={3} style={{ whiteSpace: 'pre-wrap' }}>
              {content}
            </Text>
            {tags.join(', ')}
          </>
        ),
      })}
      texts={{
        add: t('settings.replies.add'),
        edit: t('settings.replies.edit'),
        deleteTitle: ({ shortcut }) => t('settings.replies.deleteTitle', { shortcut }),
        deleteText: t('settings.replies.deleteText'),
      }}
      mayAdd={mayRespond}
      form={(reply, onClose) => <ReplyForm reply={reply} onClose={onClose} />}
      remove={({ id }) => api.delete(`/replies/${id}`)}
      refresh={key('replies')}
    />
  )
}
