import { Code, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Trace } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'

const TONES = { ok: 'green', failed: 'red', unknown: 'amber', not_called: 'grey' } as const

/** The tool calls that the model made, in order. */
export function ToolCalls({ calls }: { calls: Trace['tools'] }) {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      {calls.map(({ name, arguments: args, result, status, round, ms }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their order
        <Stack key={index} gap={4}>
          <Group gap="xs">
            <Text fw={600} className="foreign">
              {name}
            </Text>
            <Mark tone={TONES[status]}>
              {status === 'not_called' ? t('playground.notCalled') : t(`tools.outcomes.${status}`)}
            </Mark>
            <Text c="dimmed" size="secondary" className="numbers">
              {t('playground.round', { round })} · {t('tools.took', { ms: Math.round(ms) })}
            </Text>
          </Group>
          <Code
            block
            className="foreign trace-text"
            tabIndex={0}
            aria-label={t('playground.callArguments', { name })}
          >
            {indented(args)}
          </Code>
          <Code
            block
            className="foreign trace-text"
            tabIndex={0}
            aria-label={t('playground.callResult', { name })}
          >
            {indented(result) || t('tools.noResult')}
          </Code>
        </Stack>
      ))}
    </Stack>
  )
}

/** Returns JSON with indentation; any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
