import { Alert, Group, NativeSelect, Progress, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { TestRunWithResults } from '../../api/types.ts'
import { Delete } from '../../ui/Delete.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Rows } from '../../ui/Rows.tsx'
import { exactTime, Time } from '../../ui/Time.tsx'
import { useWorded } from '../../ui/worded.ts'
import { BackToDataset } from './BackToDataset.tsx'
import { Compared } from './Compared.tsx'
import { ResultRow } from './ResultRow.tsx'
import { RunFigures } from './RunFigures.tsx'
import { RunState } from './RunState.tsx'
import { isUnderWay, LOOK_EVERY_MS, useRuns } from './use-runs.ts'

const shown = ['all', 'failed', 'flaky', 'better', 'worse'] as const
type Shown = (typeof shown)[number]

/** A run and the result of each case, beside another run when one is chosen. */
export function RunPage() {
  const { datasetId = '', runId = '' } = useParams({ strict: false })
  const [against, setAgainst] = useState('')
  const run = useRun(runId, against)
  const other = useRun(against, '')
  return (
    <Loaded query={run}>
      {(read) => (
        <OneRun
          key={read.id}
          run={read}
          other={against === '' ? undefined : other.data}
          datasetId={Number(datasetId)}
          against={against}
          onAgainst={setAgainst}
        />
      )}
    </Loaded>
  )
}

function useRun(runId: string, against: string) {
  const { api, key } = useAgent()
  return useQuery<TestRunWithResults>({
    queryKey: key('runs', runId, against),
    enabled: runId !== '',
    placeholderData: (before) => (String(before?.id) === runId ? before : undefined),
    queryFn: async ({ signal }) => {
      const query = against === '' ? {} : { against }
      return (await api.get(`/runs/${Number(runId)}`, query, signal)).data
    },
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_EVERY_MS : false),
  })
}

interface OneRunProps {
  run: TestRunWithResults
  other: TestRunWithResults | undefined
  datasetId: number
  /** The id of the compared run; empty for none. */
  against: string
  onAgainst: (runId: string) => void
}

function OneRun({ run, other, datasetId, against, onAgainst }: OneRunProps) {
  const worded = useWorded()
  const { t, i18n } = useTranslation()
  const { id: agentId, key } = useAgent()
  const navigate = useNavigate()
  const runs = useRuns(datasetId)
  const [wanted, setWanted] = useState<Shown>('all')
  const { better = [], worse = [] } = run
  const counts = {
    all: run.total,
    failed: run.failed,
    flaky: run.flaky.length,
    better: better.length,
    worse: worse.length,
  }
  const choices = shown.filter((name) =>
    name === 'better' || name === 'worse' ? against !== '' : name !== 'flaky' || run.flaky.length > 0,
  )
  const chosen = choices.includes(wanted) ? wanted : 'all'
  const isShown = {
    all: () => true,
    failed: ({ status }: { status: string }) => status === 'failed',
    flaky: ({ case_id }: { case_id: number }) => run.flaky.includes(case_id),
    better: ({ case_id }: { case_id: number }) => better.includes(case_id),
    worse: ({ case_id }: { case_id: number }) => worse.includes(case_id),
  }[chosen]
  const others = (runs.data ?? []).filter(({ id }) => id !== run.id)
  const results = run.results.filter(isShown)
  return (
    <Page
      title={t('tests.run', { id: run.id })}
      lead={
        <Group gap="xs" component="span">
          <RunState run={run} />
          <Time at={run.created_at} />
        </Group>
      }
      actions={
        <>
          <BackToDataset />
          <Delete
            path={`/runs/${run.id}`}
            title={t('tests.removeRunTitle', { id: run.id })}
            text={t('tests.removeRunText')}
            refresh={[key('datasets', `${datasetId}`)]}
            done={t('tests.runRemoved', { id: run.id })}
            onDone={() =>
              void navigate({
                to: '/agents/$agentId/tests/$datasetId',
                params: { agentId: String(agentId), datasetId: String(datasetId) },
              })
            }
          />
        </>
      }
    >
      {isUnderWay(run) ? (
        <Progress
          value={(100 * run.done) / Math.max(1, run.total * run.repeats)}
          aria-label={t('tests.progress')}
          transitionDuration={300}
        />
      ) : null}
      {run.error === null ? null : (
        <Alert color="red" variant="light">
          {worded(`tests.runErrors.${run.error_code}`, run.error)}
        </Alert>
      )}
      <RunFigures run={run} />
      <Group justify="space-between" align="flex-end" gap="sm">
        <NativeSelect
          label={t('tests.against')}
          value={against}
          onChange={(event) => onAgainst(event.currentTarget.value)}
          data={[
            { value: '', label: t('tests.againstNone') },
            ...others.map(({ id, created_at }) => ({
              value: String(id),
              label: t('tests.runAt', { id, at: exactTime(created_at, i18n.language) }),
            })),
          ]}
        />
        <SegmentedControl
          aria-label={t('tests.show')}
          value={chosen}
          onChange={(name) => setWanted(name as Shown)}
          data={choices.map((name) => ({
            value: name,
            label: t(`tests.shown.${name}`, { count: counts[name] }),
          }))}
        />
      </Group>
      <Compared run={run} />
      {results.length === 0 ? (
        <Text c="dimmed">{t('tests.noneShown')}</Text>
      ) : (
        <Rows label={t('tests.results')}>
          {results.map((result) => (
            <ResultRow
              key={result.case_id}
              result={result}
              other={other?.results.find(({ case_id }) => case_id === result.case_id)}
              change={
                better.includes(result.case_id) ? 'better' : worse.includes(result.case_id) ? 'worse' : null
              }
              titles={{
                own: t('tests.run', { id: run.id }),
                other: t('tests.run', { id: against }),
              }}
              isCompared={against !== ''}
            />
          ))}
        </Rows>
      )}
    </Page>
  )
}
