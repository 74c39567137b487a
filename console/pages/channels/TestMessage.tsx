import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Channel } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { markField } from '../../ui/mark-field.ts'
import { Section } from '../../ui/Section.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Sends a text to somebody on the platform; it belongs to no conversation. */
export function TestMessage({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const form = useForm({ initialValues: { to: '', text: t('channels.testText') } })
  const sending = useAction({
    run: (message: typeof form.values) => api.post(`/channels/${channel.id}/test-message`, message),
    onRefused: (error) => markField(form, error),
  })
  const answer = sending.data?.data
  const { to, text } = form.values
  return (
    <Section title={t('channels.step4')} lead={t('channels.step4Lead')}>
      <form onSubmit={form.onSubmit((message) => sending.mutate(message))} noValidate>
        <Stack gap="sm">
          <TextInput label={t(`channels.to.${channel.kind}`)} {...form.getInputProps('to')} />
          <TextInput label={t('rules.text')} {...form.getInputProps('text')} />
          <Group gap="xs">
            <Button
              type="submit"
              variant="default"
              loading={sending.isPending}
              disabled={to.trim() === '' || text.trim() === ''}
            >
              {t('channels.sendTest')}
            </Button>
          </Group>
        </Stack>
      </form>
      {answer ? (
        <Group gap="xs" role="status">
          <Mark tone={answer.sent ? 'green' : 'red'}>
            {answer.sent ? t('channels.sent') : t(`channels.reasons.${answer.reason ?? 'rejected'}`)}
          </Mark>
          {answer.status === null ? null : <Text className="numbers">{answer.status}</Text>}
        </Group>
      ) : null}
    </Section>
  )
}
