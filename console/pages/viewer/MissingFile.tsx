import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FetchReason } from '../../../src/platforms/media.ts'
import { useAgent, useRight } from '../../api/session.ts'
import type { Attachment } from '../../api/types.ts'
import { useAction } from '../../ui/use-action.ts'

/** A file that is being fetched from the platform of its channel, or that could not be. */
export function MissingFile({
  conversationId,
  file: { id, state, reason },
  name,
}: {
  conversationId: string
  file: Attachment
  name: string
}) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const fetching = useAction({
    run: () => api.post(`/conversations/${conversationId}/attachments/${id}/fetch`),
    refresh: [key('conversation', conversationId)],
  })
  return (
    <Group gap="xs" className="attachment foreign" data-missing="">
      <Text component="span" size="secondary" c="dimmed">
        {state === 'fetching'
          ? t('inbox.files.fetching', { name })
          : t('inbox.files.failed', { name, reason: t(`inbox.files.reasons.${reason as FetchReason}`) })}
      </Text>
      {state !== 'fetching' && mayRespond ? (
        <Button
          variant="default"
          size="compact-xs"
          loading={fetching.isPending}
          onClick={() => fetching.mutate()}
        >
          {t('inbox.files.fetch')}
        </Button>
      ) : null}
    </Group>
  )
}
