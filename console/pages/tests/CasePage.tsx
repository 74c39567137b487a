import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { TestCase } from '../../api/types.ts'
import { Delete } from '../../ui/Delete.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { BackToDataset } from './BackToDataset.tsx'
import { CaseForm } from './CaseForm.tsx'

/** The page of one test case, or of a new one. */
export function CasePage() {
  const { api, key } = useAgent()
  const { datasetId = '', caseId = '' } = useParams({ strict: false })
  const isNew = caseId === 'new'
  const query = useQuery({
    queryKey: key('datasets', datasetId, 'cases', caseId),
    enabled: !isNew,
    queryFn: async ({ signal }) => (await api.get(`/datasets/${datasetId}/cases/${caseId}`, {}, signal)).data,
  })
  if (isNew) return <OneCase key="new" datasetId={datasetId} made={null} />
  return (
    <Loaded query={query}>{(made) => <OneCase key={made.id} datasetId={datasetId} made={made} />}</Loaded>
  )
}

function OneCase({ datasetId, made }: { datasetId: string; made: TestCase | null }) {
  const { t } = useTranslation()
  const { id, key } = useAgent()
  const navigate = useNavigate()
  const toDataset = () =>
    void navigate({ to: '/agents/$agentId/tests/$datasetId', params: { agentId: String(id), datasetId } })
  return (
    <Page
      title={made ? t('tests.case', { id: made.id }) : t('tests.addCase')}
      lead={t('tests.caseLead')}
      narrow
      actions={
        <>
          <BackToDataset />
          {made ? (
            <Delete
              path={`/datasets/${Number(datasetId)}/cases/${made.id}`}
              title={t('tests.removeCaseTitle')}
              text={t('tests.removeCaseText')}
              refresh={[key('datasets')]}
              done={t('tests.caseRemoved')}
              onDone={toDataset}
            />
          ) : null}
        </>
      }
    >
      <CaseForm datasetId={datasetId} made={made} onMade={toDataset} />
    </Page>
  )
}
