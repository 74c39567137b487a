import { Button, Group, NativeSelect, NumberInput, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useList } from '../../api/use-list.ts'
import { PlayIcon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { exactTime, Time } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RunState } from './RunState.tsx'
import { useRuns } from './use-runs.ts'

/** Begins a run of a dataset, and lists the earlier ones. */
export function RunsOf({ datasetId }: { datasetId: number }) {
  const { t } = useTranslation()
  const { id } = useAgent()
  const runs = useRuns(datasetId)
  return (
    <Section title={t('tests.runs')} lead={t('tests.runsLead')}>
      {useRight('manage') ? <NewRun datasetId={datasetId} /> : null}
      <Loaded query={runs}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">{t('tests.noRuns')}</Text>
          ) : (
            <Rows label={t('tests.runs')}>
              {all.map((run) => (
                <Row
                  key={run.id}
                  title={t('tests.run', { id: run.id })}
                  link={{
                    to: '/agents/$agentId/tests/$datasetId/runs/$runId',
                    params: { agentId: String(id), datasetId: String(datasetId), runId: String(run.id) },
                  }}
                  marks={<RunState run={run} />}
                  about={
                    <>
                      <Time at={run.created_at} />
                      {run.version === null ? null : ` · ${t('tests.settingsOf', { version: run.version })}`}
                      {run.repeats === 1 ? null : ` · ${t('tests.repeated', { count: run.repeats })}`}
                    </>
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  )
}

function NewRun({ datasetId }: { datasetId: number }) {
  const { t, i18n } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const [version, setVersion] = useState('')
  const [repeats, setRepeats] = useState<number | string>(1)
  const [limit, setLimit] = useState<number | string>('')
  const versions = useList(key('versions'), api, '/agent/versions')
  const running = useAction({
    run: () =>
      api.post('/runs', {
        dataset_id: datasetId,
        ...(version === '' ? {} : { version: Number(version) }),
        repeats: Number(repeats) || 1,
        ...(limit === '' ? {} : { cost_limit: Number(limit) }),
      }),
    refresh: [key('datasets', `${datasetId}`)],
    onDone: ({ data }) =>
      void navigate({
        to: '/agents/$agentId/tests/$datasetId/runs/$runId',
        params: { agentId: String(id), datasetId: String(datasetId), runId: String(data.id) },
      }),
  })
  return (
    <Group gap="xs" align="flex-end">
      <NativeSelect
        label={t('tests.settings')}
        flex="1 1 240px"
        value={version}
        onChange={(event) => setVersion(event.currentTarget.value)}
        data={[
          { value: '', label: t('tests.presentSettings') },
          ...(versions.data?.items ?? []).map(({ number, at }) => ({
            value: String(number),
            label: t('tests.version', { number, at: exactTime(at, i18n.language) }),
          })),
        ]}
      />
      <NumberInput
        label={t('tests.repeats')}
        flex="0 1 120px"
        min={1}
        max={20}
        allowDecimal={false}
        value={repeats}
        onChange={setRepeats}
      />
      <NumberInput
        label={t('tests.costLimit')}
        placeholder={t('tests.noLimit')}
        flex="0 1 140px"
        min={0}
        value={limit}
        onChange={setLimit}
      />
      <Button leftSection={<PlayIcon />} loading={running.isPending} onClick={() => running.mutate()}>
        {t('tests.start')}
      </Button>
    </Group>
  )
}
