import { Anchor, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { safeUrl } from '../../../browser/read-markdown.ts'
import type { TestResult } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Row } from '../../ui/Rows.tsx'
import { useWorded } from '../../ui/worded.ts'

interface ResultRowProps {
  result: TestResult
  /** The result of the case in the compared run; undefined if it was not part of it. */
  other: TestResult | undefined
  isCompared: boolean
  change: 'better' | 'worse' | null
  titles: { own: string; other: string }
}

/** The result of one case, beside its result in another run. */
export function ResultRow({ result, other, isCompared, change, titles }: ResultRowProps) {
  const { t } = useTranslation()
  return (
    <Row
      title={result.prompt}
      marks={
        <>
          <Outcome status={result.status} />
          {change ? (
            <Mark tone={change === 'better' ? 'green' : 'red'}>{t(`tests.changes.${change}`)}</Mark>
          ) : null}
        </>
      }
    >
      {isCompared ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Stack gap={4} miw={0}>
            <Text fw={500} size="secondary">
              {titles.own}
            </Text>
            <Answer result={result} />
          </Stack>
          <Stack gap={4} miw={0}>
            <Group gap="xs">
              <Text fw={500} size="secondary">
                {titles.other}
              </Text>
              {other ? <Outcome status={other.status} /> : null}
            </Group>
            {other ? <Answer result={other} /> : <Text c="dimmed">{t('tests.notThere')}</Text>}
          </Stack>
        </SimpleGrid>
      ) : (
        <Answer result={result} />
      )}
    </Row>
  )
}

function Outcome({ status }: Pick<TestResult, 'status'>) {
  const { t } = useTranslation()
  const tone = { waiting: 'grey', passed: 'green', failed: 'red' } as const
  return <Mark tone={tone[status]}>{t(`tests.statuses.${status}`)}</Mark>
}

function Answer({
  result: { status, response, failures, citations, tools, model, ms },
}: {
  result: TestResult
}) {
  const { t } = useTranslation()
  const wordsOf = useFailure()
  if (status === 'waiting') return null
  return (
    <Stack gap={4} miw={0}>
      {failures.length > 0 ? (
        <List size="sm" c="var(--parley-red)">
          {failures.map((failure, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: failures have no other identity
            <List.Item key={at} className="foreign">
              {wordsOf(failure)}
            </List.Item>
          ))}
        </List>
      ) : null}
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
          {t('tests.took', { model, ms })}
        </Text>
      )}
    </Stack>
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
