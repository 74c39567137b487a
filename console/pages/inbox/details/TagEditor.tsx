import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { Form } from '../../../ui/Form.tsx'
import { CloseIcon, PlusIcon } from '../../../ui/icons.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface TagEditorProps {
  conversationId: string
  tags: Readonly<Record<string, unknown>>
}

/** The tags of a conversation, each with a name and a value. */
export function TagEditor({ conversationId, tags }: TagEditorProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const [typed, setTyped] = useState('')
  const changing = useAction({
    run: (changed: Record<string, string | boolean | null>) =>
      api.patch(`/conversations/${conversationId}`, { tags: changed }),
    refresh: [key('conversation', conversationId), key('inbox')],
    onDone: (_, changed) => {
      if (!Object.values(changed).includes(null)) setTyped('')
    },
  })
  const add = () => {
    const colon = typed.indexOf(':')
    const name = (colon < 0 ? typed : typed.slice(0, colon)).trim()
    const value = colon < 0 ? '' : typed.slice(colon + 1).trim()
    if (name !== '') changing.mutate({ [name]: value === '' ? true : value })
  }
  const entries = Object.entries(tags)
  return (
    <Stack gap={4}>
      {entries.length === 0 && !mayRespond ? <Text c="dimmed">–</Text> : null}
      <Group gap={4}>
        {entries.map(([name, value]) => (
          <span key={name} className="tag foreign">
            <bdi>
              {value === true
                ? name
                : `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`}
            </bdi>
            {mayRespond ? (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                aria-label={t('inbox.removeTag', { name })}
                onClick={() => changing.mutate({ [name]: null })}
              >
                <CloseIcon size={14} />
              </ActionIcon>
            ) : null}
          </span>
        ))}
      </Group>
      {mayRespond ? (
        <Form onSubmit={add}>
          <TextInput
            aria-label={t('inbox.addTag')}
            placeholder={t('inbox.tagHint')}
            maxLength={300}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            rightSection={
              <ActionIcon
                type="submit"
                variant="subtle"
                color="gray"
                aria-label={t('inbox.addTag')}
                loading={changing.isPending}
                disabled={typed.trim() === ''}
              >
                <PlusIcon size={16} />
              </ActionIcon>
            }
          />
        </Form>
      ) : null}
    </Stack>
  )
}
