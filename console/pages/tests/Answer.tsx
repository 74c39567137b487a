import { Anchor, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { safeUrl } from '../../../browser/read-markdown.ts'
import type { TestResult } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { useWorded } from '../../ui/worded.ts'

/** A mark that tells whether a case passed. */
export function Outcome({ status }: Pick<TestResult, 'status'>) {
  const { t } = useTranslation()
  const tone = { waiting: 'grey', passed: 'green', failed: 'red' } as const
  return <Mark tone={tone[status]}>{t(`tests.statuses.${status}`)}</Mark>
}

/** The agent's answer, and the reasons why it failed. */
export function Answer({
  result: { status, response, failures, citations, tools, model, ms, turns, ranks, documents_changed },
}: {
  result: Omit<TestResult, 'case_id' | 'prompt' | 'customer' | 'passed' | 'ran' | 'repeat'>
}) {
  const { t } = useTranslation()
  if (status === 'waiting') return null
  return (
    <Stack gap={4} miw={0}>
      <Failures failures={failures} />
      <Text className="foreign" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {response ?? t('tests.noResponse')}
      </Text>
      {citations.length > 0 ? (
        <Text size="secondary" c="dimmed" className="foreign">
          {t('tests.cited')}{' '}
          {citations.map(({ title, url }, at) => (
            <span key={`${title} ${url}`}>
              {at > 0 ? ', ' : ''}
              {url && safeUrl(url) ? (
                <Anchor href={safeUrl(url) ?? undefined} target="_blank" rel="noreferrer" inherit>
                  {title}
                </Anchor>
              ) : (
                title
              )}
            </span>
          ))}
        </Text>
      ) : null}
      {tools.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other identity
        <Text key={at} size="secondary" c="dimmed" ff="monospace" className="foreign">
          {call.name}({call.arguments})
        </Text>
      ))}
      {model === null || ms === null ? null : (
        <Text size="secondary" c="dimmed">
          {[
            t('tests.took', { model, ms }),
            ...(turns !== null && turns > 1 ? [t('tests.inTurns', { count: turns })] : []),
            ...ranks.map((rank) => (rank === null ? t('tests.notFound') : t('tests.foundAt', { rank }))),
            ...(documents_changed ? [t('tests.otherDocuments')] : []),
          ].join(' · ')}
        </Text>
      )}
    </Stack>
  )
}

/** The reasons why a case failed. */
export function Failures({ failures }: Pick<TestResult, 'failures'>) {
  const wordsOf = useFailure()
  if (failures.length === 0) return null
  return (
    <List size="sm" c="var(--parley-red)">
      {failures.map((failure, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: failures have no other identity
        <List.Item key={at} className="foreign">
          {wordsOf(failure)}
        </List.Item>
      ))}
    </List>
  )
}

/** Returns a function that says why a case failed. */
function useFailure(): (failure: TestResult['failures'][number]) => string {
  const { t } = useTranslation()
  const worded = useWorded()
  return ({ expectation, code, values, reason }) => {
    const cause = values.reason
    const said = cause === undefined ? values : { ...values, reason: worded(`tests.causes.${cause}`, cause) }
    const words = worded(`tests.failures.${code}`, reason, said)
    const value = expectation?.value
    return typeof value === 'string' ? t('tests.wanted', { words, value }) : words
  }
}
