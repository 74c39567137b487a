import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Dataset, TestCase } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Back } from '../../ui/Back.tsx'
import { Delete } from '../../ui/Delete.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { CircleCheckIcon, PlusIcon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { NextPage } from '../../ui/NextPage.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { RunsOf } from './RunsOf.tsx'

/** The cases of a dataset, and its runs. */
export function DatasetPage() {
  const { api, key } = useAgent()
  const { datasetId = '' } = useParams({ strict: false })
  const dataset = useQuery({
    queryKey: key('datasets', datasetId),
    queryFn: async ({ signal }) => (await api.get(`/datasets/${datasetId}`, {}, signal)).data,
  })
  return <Loaded query={dataset}>{(read) => <OneDataset dataset={read} />}</Loaded>
}

function OneDataset({ dataset: { id: datasetId, name } }: { dataset: Dataset }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const mayManage = useRight('manage')
  const cases = useList(key('datasets', `${datasetId}`, 'cases'), api, `/datasets/${datasetId}/cases`)
  const linkTo = (caseId: string) =>
    ({
      to: '/agents/$agentId/tests/$datasetId/cases/$caseId',
      params: { agentId: String(id), datasetId: String(datasetId), caseId },
    }) as const
  const add = mayManage ? (
    <Button
      variant="default"
      leftSection={<PlusIcon />}
      renderRoot={(props) => <Link {...linkTo('new')} {...props} />}
    >
      {t('tests.addCase')}
    </Button>
  ) : null
  return (
    <Page
      title={name}
      lead={t('tests.datasetLead')}
      narrow
      actions={
        <>
          <Back to="/agents/$agentId/tests" label={t('pages.tests')} />
          <Delete
            path={`/datasets/${datasetId}`}
            title={t('tests.removeTitle', { name })}
            text={t('tests.removeText')}
            refresh={[key('datasets')]}
            done={t('tests.removed', { name })}
            onDone={() => void navigate({ to: '/agents/$agentId/tests', params: { agentId: String(id) } })}
          />
          {add}
        </>
      }
    >
      <Loaded query={cases}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon={CircleCheckIcon}
              title={t('tests.noCases')}
              text={t('tests.noCasesText')}
              action={add}
            />
          ) : (
            <>
              <RunsOf datasetId={datasetId} />
              <Section title={t('tests.casesTitle')}>
                <Rows label={t('tests.casesTitle')}>
                  {items.map((one) => (
                    <Row
                      key={one.id}
                      title={titleOf(one)}
                      link={linkTo(String(one.id))}
                      about={t('tests.expectations', { count: one.expectations.length })}
                    />
                  ))}
                </Rows>
              </Section>
            </>
          )
        }
      </Loaded>
      <NextPage query={cases} />
    </Page>
  )
}

/** Names a case by its question, or by what its customer wants. */
function titleOf({ messages, customer }: TestCase): string {
  return (messages.at(-1)?.content ?? customer?.goal ?? customer?.says?.[0] ?? '').slice(0, 200)
}
