import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TimelineLine } from '../../../api/types.ts'
import { NoteIcon } from '../../../ui/icons.tsx'
import { Time } from '../../../ui/Time.tsx'

/** A note for colleagues, which the end user never sees. */
export function NoteLine({ line }: { line: Extract<TimelineLine, { type: 'note' }> }) {
  const { t } = useTranslation()
  const { author, text, created_at } = line.note
  return (
    <Stack gap={2} mb="md" align="flex-start">
      <Group gap="xs" fz="xs" lh="xs" c="dimmed">
        <NoteIcon size={14} />
        <Text component="span" size="xs" fw={600} className="foreign">
          {t('inbox.noteBy', { author })}
        </Text>
        <Time at={created_at} />
      </Group>
      <Text className="bubble foreign" data-role="note" style={{ whiteSpace: 'pre-wrap' }} dir="auto">
        {text}
      </Text>
    </Stack>
  )
}
