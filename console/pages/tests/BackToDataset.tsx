import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { ArrowLeftIcon } from '../../ui/icons.tsx'

/** A link back to the dataset that a case or a run belongs to. */
export function BackToDataset() {
  const { t } = useTranslation()
  const { id } = useAgent()
  const { datasetId = '' } = useParams({ strict: false })
  return (
    <Button
      variant="default"
      leftSection={<ArrowLeftIcon />}
      renderRoot={(props) => (
        <Link to="/agents/$agentId/tests/$datasetId" params={{ agentId: String(id), datasetId }} {...props} />
      )}
    >
      {t('tests.dataset')}
    </Button>
  )
}
