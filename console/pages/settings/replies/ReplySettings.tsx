import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Reply } from '../../../api/types.ts'
import { useList } from '../../../api/use-list.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { EditOrDelete } from '../../../ui/EditOrDelete.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { SpeechIcon } from '../../../ui/icons.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ReplyForm } from './ReplyForm.tsx'

/** The canned replies of the team. */
export function ReplySettings() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const [q, setQ] = useState('')
  /** The reply that is open in the form; `new` for a new one. */
  const [edited, setEdited] = useState<Reply | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Reply | null>(null)
  const replies = useList(key('replies'), api, '/replies', { q })
  const deleting = useAction({
    run: ({ id }: Reply) => api.delete(`/replies/${id}`),
    refresh: [key('replies')],
    onDone: () => setDeleted(null),
  })
  return (
    <Page
      title={t('settings.areas.replies')}
      lead={t('settings.replies.lead')}
      narrow
      actions={
        mayRespond ? <Button onClick={() => setEdited('new')}>{t('settings.replies.add')}</Button> : null
      }
    >
      <TextInput
        label={t('settings.replies.find')}
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
        maxLength={200}
      />
      <Loaded query={replies}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon={SpeechIcon}
              title={t(q === '' ? 'settings.replies.empty' : 'settings.replies.noMatch')}
              text={t(q === '' ? 'settings.replies.emptyText' : 'settings.replies.noMatchText')}
            />
          ) : (
            <Rows label={t('settings.areas.replies')}>
              {items.map((reply) => (
                <Row
                  key={reply.id}
                  title={`/${reply.shortcut}`}
                  about={
                    <>
                      <Text size="secondary" lineClamp={3} style={{ whiteSpace: 'pre-wrap' }}>
                        {reply.content}
                      </Text>
                      {reply.tags.join(', ')}
                    </>
                  }
                  actions={
                    mayRespond ? (
                      <EditOrDelete
                        name={reply.shortcut}
                        edit={t('settings.replies.edit')}
                        onEdit={() => setEdited(reply)}
                        onDelete={() => setDeleted(reply)}
                      />
                    ) : null
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <NextPage query={replies} />
      {edited ? <ReplyForm reply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
      {deleted ? (
        <Confirm
          title={t('settings.replies.deleteTitle', { shortcut: deleted.shortcut })}
          text={t('settings.replies.deleteText')}
          action={t('common.delete')}
          isBusy={deleting.isPending}
          onConfirm={() => deleting.mutate(deleted)}
          onClose={() => setDeleted(null)}
        />
      ) : null}
    </Page>
  )
}
