import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TestResult } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Row } from '../../ui/Rows.tsx'
import { Answer, Outcome } from './Answer.tsx'
import { Repeats } from './Repeats.tsx'

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
          <PassedOf result={result} />
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
              {other ? <PassedOf result={other} /> : null}
            </Group>
            {other ? <Answer result={other} /> : <Text c="dimmed">{t('tests.notThere')}</Text>}
          </Stack>
        </SimpleGrid>
      ) : (
        <Answer result={result} />
      )}
      <Repeats result={result} />
    </Row>
  )
}

/** The share of its repeats in which a case passed. */
function PassedOf({ result: { passed, ran } }: { result: TestResult }) {
  const { t } = useTranslation()
  return ran > 1 ? <Mark tone="grey">{t('tests.passedOf', { passed, ran })}</Mark> : null
}
