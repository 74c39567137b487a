import { Button, Group, Stack, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../../api/client.ts'
import { useWho } from '../../../api/session.ts'
import { discard, retry, type Unsent, useUnsent } from '../../../api/unsent.ts'
import { useRefusalText } from '../../../ui/refusal-text.ts'
import { FilesOfMessage } from './FilesOfMessage.tsx'
import { MessageText } from './MessageText.tsx'

/** The signed-in person's answers that the service has not accepted, after all that it has. */
export function UnsentLines({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation()
  const { operator } = useWho()
  return useUnsent(operator.id, conversationId).map(({ place, content, attachments, state }) => (
    <Stack key={place} gap={4} mb="md" align="flex-start">
      {content.trim() === '' ? null : (
        <div className="bubble foreign" data-role="operator" data-unsent="" dir="auto">
          <MessageText text={content} />
        </div>
      )}
      <FilesOfMessage conversationId={conversationId} files={attachments} />
      <Group gap="xs">
        <Why state={state} />
        <Group gap="xs">
          <Button variant="default" size="compact-xs" onClick={() => retry(place)}>
            {isHeld(state) ? t('inbox.sendAnyway') : t('inbox.unsent.retry')}
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => discard(place)}>
            {t('inbox.unsent.discard')}
          </Button>
        </Group>
      </Group>
    </Stack>
  ))
}

/** The reason why an answer waits or was refused. */
function Why({ state }: Pick<Unsent, 'state'>) {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const textOf = useRefusalText()
  const isRefused = typeof state === 'object'
  return (
    <Text size="xs" c={isRefused ? 'var(--parley-red)' : 'dimmed'}>
      {isRefused
        ? t('inbox.unsent.refused', { reason: textOf(new Refusal(state.code, state.message, state)) })
        : t(online ? 'inbox.unsent.waiting' : 'inbox.unsent.offline')}
    </Text>
  )
}

function isHeld(state: Unsent['state']): boolean {
  return typeof state === 'object' && state.code === 'conversation_moved'
}
