import { Button, Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Evaluator } from '../../../api/types.ts'
import { Form } from '../../../ui/Form.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Section } from '../../../ui/Section.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Scores a text as it would be scored in a conversation. Nothing is stored, and nothing acts on the score. */
export function EvaluatorTrial({ evaluator }: { evaluator: Evaluator }) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const [text, setText] = useState('')
  const trying = useAction({
    run: () => api.post(`/evaluators/${evaluator.id}/try`, { text }),
  })
  const result = trying.data?.data
  if (!useRight('manage')) return null
  return (
    <Section title={t('rules.try')} lead={t('rules.tryLead')}>
      <Form onSubmit={() => trying.mutate()}>
        <Textarea
          aria-label={t('rules.tryText')}
          placeholder={t('rules.tryText')}
          autosize
          minRows={2}
          mb="sm"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={trying.isPending} disabled={text === ''}>
          {t('rules.tryAction')}
        </Button>
      </Form>
      {result ? (
        <Group gap="xs" role="status">
          {result.passed === null ? (
            <Mark tone="red">{t('rules.gaveNone', { error: result.error ?? '' })}</Mark>
          ) : (
            <Mark tone={result.passed ? 'green' : 'grey'}>
              {result.passed
                ? result.content
                  ? t('inbox.foundThis', { what: result.content })
                  : t('inbox.found')
                : t('inbox.notFound')}
            </Mark>
          )}
          <Text className="numbers">
            {t('rules.scored', { score: result.score ?? '–', ms: Math.round(result.duration_ms) })}
          </Text>
          {result.content && !result.passed ? (
            <Text c="dimmed" className="foreign">
              {result.content}
            </Text>
          ) : null}
        </Group>
      ) : null}
    </Section>
  )
}
