import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { useAction } from '../../../ui/use-action.ts'
import { Fact } from './Fact.tsx'

/** Proposes an entry of the knowledge from a conversation that a person answered. */
export function ProposeEntry({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const proposing = useAction({
    run: () => api.post('/knowledge/proposals', { conversation_id: conversationId }),
    refresh: [key('knowledge', 'proposals')],
    done: t('inbox.entryProposed'),
  })
  if (!mayRespond) return null
  return (
    <Fact name={t('pages.knowledge')}>
      <Stack gap={4} align="flex-start">
        <Button variant="default" loading={proposing.isPending} onClick={() => proposing.mutate()}>
          {t('inbox.proposeEntry')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('inbox.proposeEntryHint')}
        </Text>
      </Stack>
    </Fact>
  )
}
