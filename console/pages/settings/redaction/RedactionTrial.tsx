import { Button, Code, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { TriedRedaction } from '../../../api/types.ts'
import { Form } from '../../../ui/Form.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Section } from '../../../ui/Section.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Anonymizes a text as in a transcript, with the saved settings; nothing is stored. */
export function RedactionTrial() {
  const { t } = useTranslation()
  const { api } = useAgent()
  const [text, setText] = useState('')
  const trying = useAction({ run: () => api.post('/redaction/try', { text }) })
  const tried = trying.data?.data
  return (
    <Section title={t('settings.redaction.try')} lead={t('settings.redaction.tryLead')}>
      <Form onSubmit={() => trying.mutate()}>
        <Stack gap="sm" align="flex-start">
          <Textarea
            aria-label={t('rules.tryText')}
            placeholder={t('settings.redaction.tryExample')}
            autosize
            minRows={2}
            maxRows={12}
            maxLength={20_000}
            w="100%"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={trying.isPending} disabled={text === ''}>
            {t('settings.redaction.tryAction')}
          </Button>
        </Stack>
      </Form>
      {tried ? (
        <Stack gap="xs" role="status">
          <Code block className="foreign" tabIndex={0} aria-label={t('settings.redaction.tryResult')}>
            {tried.redacted}
          </Code>
          <Found tried={tried} />
        </Stack>
      ) : null}
    </Section>
  )
}

/** The number of findings of each type, and whether the hosted service was used. */
function Found({ tried: { findings, hosted } }: { tried: TriedRedaction }) {
  const { t } = useTranslation()
  const counts = new Map<string, number>()
  for (const { type } of findings) counts.set(type, (counts.get(type) ?? 0) + 1)
  return (
    <Group gap="xs">
      {counts.size === 0 ? <Text c="dimmed">{t('settings.redaction.nothing')}</Text> : null}
      {[...counts].map(([type, count]) => (
        <Mark key={type} tone="grey">{`${type} ${count}`}</Mark>
      ))}
      {hosted === null ? null : (
        <Mark tone={hosted ? 'green' : 'red'}>
          {t(hosted ? 'settings.redaction.hostedDid' : 'settings.redaction.hostedFailed')}
        </Mark>
      )}
    </Group>
  )
}
