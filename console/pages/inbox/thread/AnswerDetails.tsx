import { Anchor, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { safeUrl } from '../../../../browser/read-markdown.ts'
import { useAgent } from '../../../api/session.ts'
import type { Completion } from '../../../api/types.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { EvaluationLine } from '../../rules/EvaluationLine.tsx'
import { completionQuery } from './completion-query.ts'
import { KeepAsTest } from './KeepAsTest.tsx'
import { Redact } from './Redact.tsx'
import { TraceId } from './TraceId.tsx'

interface AnswerDetailsProps {
  completionId: string
  /** The number of the source that the reader wants to see; null for none in particular. */
  source: number | null
}

/** The origin of an answer: its sources word for word, the rules that checked it, its cost and time. */
export function AnswerDetails({ completionId, source }: AnswerDetailsProps) {
  const completion = useQuery(completionQuery(useAgent(), completionId))
  return (
    <Paper withBorder p="sm" maw="68ch" bg="var(--parley-raised)" w="100%">
      <Loaded query={completion}>{(read) => <Facts completion={read} source={source} />}</Loaded>
    </Paper>
  )
}

function Facts({ completion, source }: { completion: Completion; source: number | null }) {
  const { t } = useTranslation()
  const { citations, ctas, model, usage, number, flagged, flag_reason, feedback } = completion
  return (
    <Stack gap="xs" fz="secondary" lh="secondary" className="foreign">
      <Text c="dimmed" size="secondary">
        {t('answerDetails.answeredBy', { model, number })}
        {usage ? ` · ${t('inbox.tokens', { count: usage.total_tokens })}` : ''}
      </Text>
      <Sources citations={citations} wanted={source} />
      <Evaluations completion={completion} />
      {ctas.map(({ id, name }) => (
        <Text size="secondary" key={id}>
          {t('answerDetails.ctaShown', { name })}
        </Text>
      ))}
      {flagged ? (
        <Text size="secondary">{t('answerDetails.flagged', { reason: flag_reason ?? '–' })}</Text>
      ) : null}
      {feedback ? <Text size="secondary">{t('answerDetails.feedback', { feedback })}</Text> : null}
      <TraceId completionId={completion.id} />
      <KeepAsTest completionId={completion.id} />
      <Redact completionId={completion.id} conversationId={completion.conversation_id} />
    </Stack>
  )
}

/** The passages that an answer was made from. */
export function Sources({
  citations,
  wanted,
}: {
  citations: Completion['citations']
  wanted: number | null
}) {
  const { t } = useTranslation()
  const shown = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another source is wanted
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' })
    shown.current?.focus({ preventScroll: true })
  }, [wanted])
  if (citations.length === 0) return <Text size="secondary">{t('answerDetails.noSources')}</Text>
  return citations.map(({ title, url, snippet }, index) => {
    const address = url === null ? null : safeUrl(url)
    const isWanted = wanted === index + 1
    return (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: sources have no identity but their number
        key={index}
        className="source"
        data-wanted={isWanted || undefined}
        ref={isWanted ? shown : null}
        tabIndex={isWanted ? -1 : undefined}
      >
        <Text size="secondary" fw={500}>
          [{index + 1}]{' '}
          {address ? (
            <Anchor href={address} target="_blank" rel="noreferrer noopener" size="secondary">
              <bdi>{title}</bdi>
            </Anchor>
          ) : (
            <bdi>{title}</bdi>
          )}
        </Text>
        <Text size="secondary" c="dimmed">
          {snippet}
        </Text>
      </div>
    )
  })
}

/** The findings of evaluators about a prompt and its answer. */
export function Evaluations({ completion: { evaluations } }: { completion: Completion }) {
  return evaluations.map((evaluation) => (
    <EvaluationLine key={`${evaluation.evaluator.id} ${evaluation.subject}`} evaluation={evaluation} />
  ))
}
