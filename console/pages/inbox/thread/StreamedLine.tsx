import { Group, Stack, Text } from '@mantine/core'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { MessageText } from './MessageText.tsx'
import type { Streamed } from './use-streamed.ts'

/** An answer that the agent is generating. A screen reader reads it once, when it is complete. */
export function StreamedLine({ answer }: { answer: Streamed }) {
  const { t } = useTranslation()
  const { name } = useAgent()
  const text = useDeferredValue(answer.text)
  return (
    <Stack gap={2} mb="md" align="flex-start" aria-live="off" data-streamed="">
      <Group gap="xs" fz="xs" lh="xs" c="dimmed">
        <Text component="span" size="xs" fw={600} className="foreign">
          {t('inbox.answering', { name })}
        </Text>
      </Group>
      <div className="bubble foreign" data-role="assistant" dir="auto">
        <MessageText text={text} />
      </div>
    </Stack>
  )
}
