import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ModelKind } from '../../../../src/lib/model-kinds.ts'
import { useAgent } from '../../../api/session.ts'
import { Mark } from '../../../ui/Mark.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface ModelTrialProps {
  /** The model in the form's fields. */
  model: { kind: ModelKind; url: string; name: string; api_key: string | null }
  /** Marks the field that was refused, and returns true if it did. */
  onRefused: (error: unknown) => boolean
}

/** Asks the model in the fields for a word before it is saved, and shows what its server answered. */
export function ModelTrial({ model, onRefused }: ModelTrialProps) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const testing = useAction({
    run: ({ kind, url, name, api_key }: ModelTrialProps['model']) =>
      api.post('/agent/test-model', {
        ...(url.trim() ? { kind, url: url.trim() } : {}),
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(api_key ? { api_key } : {}),
      }),
    onRefused,
  })
  const test = testing.data?.data
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate(model)}>
          {t('settings.model.test')}
        </Button>
      </Group>
      {test && !testing.isPending ? (
        <Stack gap={4} role="status" className="foreign">
          <Group gap="xs">
            <Mark tone={test.ok ? 'green' : 'red'}>
              {t(test.ok ? 'settings.model.answers' : 'settings.model.answersNot')}
            </Mark>
            <Text size="secondary" c="dimmed" className="numbers">
              {[test.model, test.status, test.code, `${test.ms} ms`].filter(Boolean).join(' · ')}
            </Text>
          </Group>
          {test.ok && test.model ? null : (
            <Text>{test.model ? test.message : t('settings.model.builtIn')}</Text>
          )}
          {test.other_kind ? (
            <Text>
              {t('settings.model.otherKind', { kind: t(`settings.model.kinds.${test.other_kind}`) })}
            </Text>
          ) : null}
        </Stack>
      ) : null}
    </Stack>
  )
}
