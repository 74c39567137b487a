import { Anchor, Code, Group, Paper, Stack, Table, Tabs, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { safeUrl } from '../../../browser/read-markdown.ts'
import type { Trace, TriedAnswer } from '../../api/types.ts'
import { isolated, joined } from '../../texts/isolated.ts'
import { CopyText } from '../../ui/CopyText.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { HeldCondition } from '../rules/conditions/HeldCondition.tsx'
import { EvaluationLine } from '../rules/EvaluationLine.tsx'
import { ToolCalls } from './ToolCalls.tsx'

/** The trace of an answer: what was found, what was sent, which rules acted, and its cost and time. */
export function TraceOf({ answer }: { answer: TriedAnswer }) {
  const { t } = useTranslation()
  const { trace } = answer
  return (
    <Paper withBorder p="md" bg="var(--parley-raised)" component="section" aria-label={t('playground.trace')}>
      <Tabs defaultValue="passages" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="passages">{t('playground.passages', { count: trace.passages.length })}</Tabs.Tab>
          {trace.tools.length > 0 ? (
            <Tabs.Tab value="tools">{t('playground.calls', { count: trace.tools.length })}</Tabs.Tab>
          ) : null}
          <Tabs.Tab value="rules">{t('playground.rules', { count: trace.rules.length })}</Tabs.Tab>
          <Tabs.Tab value="request">{t('playground.request')}</Tabs.Tab>
          <Tabs.Tab value="figures">{t('playground.figures')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="passages">
          <Passages trace={trace} />
        </Tabs.Panel>
        <Tabs.Panel value="tools">
          <ToolCalls calls={trace.tools} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <Rules trace={trace} />
        </Tabs.Panel>
        <Tabs.Panel value="request">
          <Requests trace={trace} />
        </Tabs.Panel>
        <Tabs.Panel value="figures">
          <Figures answer={answer} />
        </Tabs.Panel>
      </Tabs>
    </Paper>
  )
}

function Passages({ trace: { passages, only_words, rewrite } }: { trace: Trace }) {
  const { t, i18n } = useTranslation()
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' })
  return (
    <Stack gap="md">
      <Rewritten rewrite={rewrite} />
      {only_words ? <Text c="dimmed">{t(`playground.onlyWords.${only_words}`)}</Text> : null}
      {passages.length === 0 ? <Text c="dimmed">{t('playground.noPassages')}</Text> : null}
      {passages.map(({ title, heading, url, text, score, coverage }, index) => {
        const address = url === null ? null : safeUrl(url)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: passages have no identity but their rank
          <Stack key={index} gap={4} className="foreign">
            <Group gap="xs">
              <Text fw={600}>
                {address ? (
                  <Anchor href={address} target="_blank" rel="noreferrer noopener" fw={600}>
                    <bdi>{title}</bdi>
                  </Anchor>
                ) : (
                  <bdi>{title}</bdi>
                )}
                {heading && heading !== title ? ` › ${isolated(heading)}` : ''}
              </Text>
              <Mark tone="grey">
                {t('knowledge.fits', { percent: percent.format(coverage), score: score.toFixed(2) })}
              </Mark>
            </Group>
            <Text size="secondary" c="dimmed" className="trace-text" tabIndex={0}>
              {text}
            </Text>
          </Stack>
        )
      })}
    </Stack>
  )
}

/** Shows the queries that were searched for in place of the question, or why there were none. */
function Rewritten({ rewrite }: { rewrite: Trace['rewrite'] }) {
  const { t } = useTranslation()
  if (rewrite === null) return null
  const { queries, failure } = rewrite
  return (
    <Text c="dimmed" className="foreign">
      {failure === null
        ? t('playground.searchedFor', { queries: joined(queries) })
        : t(`playground.rewriteFailures.${failure}`)}
    </Text>
  )
}

function Rules({ trace: { rules, evaluations } }: { trace: Trace }) {
  const { t } = useTranslation()
  if (rules.length === 0) return <Text c="dimmed">{t('playground.noRules')}</Text>
  return (
    <Stack gap="md">
      {rules.map(({ kind, id, name, acted, condition, evaluator_id }) => (
        <Stack key={`${kind} ${id}`} gap={4}>
          <Group gap="xs">
            <Text fw={600} className="foreign">
              {name}
            </Text>
            <Text c="dimmed" size="secondary">
              {t(`playground.kinds.${kind}`)}
            </Text>
            <Mark tone={acted ? 'green' : 'grey'}>
              {acted === null
                ? t('playground.unsure')
                : t(kind === 'automation' ? `playground.runs.${acted}` : `playground.acted.${acted}`)}
            </Mark>
          </Group>
          {condition ? <HeldCondition condition={condition} /> : null}
          {evaluations
            .filter(({ evaluator }) => evaluator.id === evaluator_id)
            .map((evaluation) => (
              <EvaluationLine key={evaluation.subject} evaluation={evaluation} />
            ))}
        </Stack>
      ))}
    </Stack>
  )
}

function Requests({ trace: { requests } }: { trace: Trace }) {
  const { t } = useTranslation()
  if (requests.length === 0) return <Text c="dimmed">{t('playground.noRequest')}</Text>
  return (
    <Stack gap="lg">
      {requests.map((request, index) => {
        const { model, messages, parameters, thoughts } = request
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: requests have no identity but their order
          <Stack key={index} gap="sm">
            <Text size="secondary" c="dimmed">
              {t('playground.sentTo', { model, ms: Math.round(request.ms) })}
            </Text>
            {messages.map(({ role, content }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their order
              <div key={at}>
                <Text size="xs" fw={500} mb={4}>
                  {role}
                </Text>
                <Code block className="foreign trace-text" tabIndex={0} aria-label={role}>
                  {typeof content === 'string' ? content : JSON.stringify(content, null, 2)}
                </Code>
              </div>
            ))}
            {thoughts !== '' && (
              <div>
                <Text size="xs" fw={500} mb={4}>
                  {t('playground.thoughts')}
                </Text>
                <Code block className="foreign trace-text" tabIndex={0} aria-label={t('playground.thoughts')}>
                  {thoughts}
                </Code>
              </div>
            )}
            <CopyText
              label={t('playground.asJson')}
              value={JSON.stringify({ model, messages, ...parameters }, null, 2)}
            />
          </Stack>
        )
      })}
    </Stack>
  )
}

function Figures({ answer }: { answer: TriedAnswer }) {
  const { t, i18n } = useTranslation()
  const { model, finish_reason, usage, trace } = answer
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 2 })
  const rows: [label: string, value: string | number | null | undefined][] = [
    [t('playground.model'), model],
    [t('playground.finishReason'), finish_reason],
    [t('playground.promptTokens'), usage?.prompt_tokens],
    [t('playground.completionTokens'), usage?.completion_tokens],
    [t('playground.retrievalScore'), trace.retrieval_score],
    [t('playground.retrievalMs'), trace.times.retrieval_ms],
    [t('playground.modelMs'), trace.times.model_ms],
    [t('playground.totalMs'), trace.times.total_ms],
  ]
  return (
    <Table>
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th fw={400}>{label}</Table.Th>
            <Table.Td ta="right" className="foreign">
              {typeof value === 'number' ? number.format(value) : (value ?? '–')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
