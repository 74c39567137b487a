import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { RedactionResult } from '../../../api/types.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { useAction } from '../../../ui/use-action.ts'

type Mode = RedactionResult['mode']

interface RedactProps {
  completionId: string
  conversationId: string
}

/** Permanently removes personal data or all text from a prompt and its answer, until nothing is left to remove. */
export function Redact({ completionId, conversationId }: RedactProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayManage = useRight('manage')
  const [asked, setAsked] = useState<Mode | null>(null)
  const [remaining, setRemaining] = useState<number | null>(null)
  const redacting = useAction({
    run: async (mode: Mode) => {
      let redacted = 0
      for (;;) {
        const { data } = await api.post(`/chat/completions/${completionId}/${mode}`)
        redacted += data.messages_redacted
        setRemaining(data.remaining)
        if (data.remaining === 0) return redacted
      }
    },
    refresh: [key('conversation', conversationId), key('completion', completionId), key('inbox')],
    done: (count) => t('answerDetails.redactedNow', { count }),
    onDone: () => setAsked(null),
  })
  if (!mayManage) return null
  return (
    <Group gap="xs">
      {(['anonymize', 'scrub'] as const).map((mode) => (
        <Button key={mode} variant="default" onClick={() => setAsked(mode)}>
          {t(`inbox.redact.${mode}`)}
        </Button>
      ))}
      {remaining ? (
        <Text size="secondary" role="status">
          {t('inbox.remaining', { count: remaining })}
        </Text>
      ) : null}
      {asked ? (
        <Confirm
          title={t(`inbox.redact.${asked}`)}
          text={t(`answerDetails.redactText.${asked}`)}
          action={t(`inbox.redact.${asked}`)}
          typed={t('answerDetails.redactWord')}
          isBusy={redacting.isPending}
          onConfirm={() => redacting.mutate(asked)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </Group>
  )
}
