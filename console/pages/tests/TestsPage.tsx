import { Button, Group, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Form } from '../../ui/Form.tsx'
import { CircleCheckIcon, PlusIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row } from '../../ui/Rows.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The datasets: sets of questions with expectations of the answers. */
export function TestsPage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const mayManage = useRight('manage')
  const datasets = useList(key('datasets'), api, '/datasets')
  return (
    <Page title={t('pages.tests')} lead={t('tests.lead')} narrow>
      {mayManage ? <NewDataset /> : null}
      <ListRows
        label={t('pages.tests')}
        query={datasets}
        empty={<Empty icon={CircleCheckIcon} title={t('tests.empty')} text={t('tests.emptyText')} />}
      >
        {(dataset) => (
          <Row
            key={dataset.id}
            title={dataset.name}
            link={{
              to: '/agents/$agentId/tests/$datasetId',
              params: { agentId: String(id), datasetId: String(dataset.id) },
            }}
            about={t('tests.cases', { count: dataset.cases })}
          />
        )}
      </ListRows>
    </Page>
  )
}

function NewDataset() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const making = useAction({
    run: () => api.post('/datasets', { name: name.trim() }),
    refresh: [key('datasets')],
    onDone: ({ data }) =>
      void navigate({
        to: '/agents/$agentId/tests/$datasetId',
        params: { agentId: String(id), datasetId: String(data.id) },
      }),
  })
  return (
    <Form
      onSubmit={() => {
        if (name.trim() !== '') making.mutate()
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label={t('tests.newName')}
          placeholder={t('tests.newNameExample')}
          flex="1 1 240px"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          leftSection={<PlusIcon />}
          loading={making.isPending}
          disabled={name.trim() === ''}
        >
          {t('tests.add')}
        </Button>
      </Group>
    </Form>
  )
}
