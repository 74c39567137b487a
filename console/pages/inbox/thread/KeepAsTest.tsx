import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { useList } from '../../../api/use-list.ts'
import { Form } from '../../../ui/Form.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Makes a test case from a prompt and its answer. */
export function KeepAsTest({ completionId }: { completionId: string }) {
  const { t } = useTranslation()
  const mayManage = useRight('manage')
  const [isOpen, choosing] = useDisclosure(false)
  if (!mayManage) return null
  if (isOpen) return <DatasetChoice completionId={completionId} onDone={choosing.close} />
  return (
    <Group>
      <Button variant="default" onClick={choosing.open}>
        {t('answerDetails.makeCase')}
      </Button>
    </Group>
  )
}

const NEW = 'new'

/** The choice of one of the agent's datasets, or of a new one, which is created with its first case. */
function DatasetChoice({ completionId, onDone }: { completionId: string; onDone: () => void }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const datasets = useList(key('datasets'), api, '/datasets', { per_page: 100 })
  const [wanted, setWanted] = useState('')
  const [name, setName] = useState(t('answerDetails.newDatasetName'))
  const chosen = wanted || String(datasets.data?.items[0]?.id ?? NEW)
  /** The dataset that was created for a refused case, so that a second try uses it. */
  const made = useRef<number | null>(null)
  const makeDataset = async (name: string) => (await api.post('/datasets', { name })).data.id
  const adding = useAction({
    run: async () => {
      const dataset = chosen === NEW ? (made.current ??= await makeDataset(name.trim())) : Number(chosen)
      await api.post(`/datasets/${dataset}/cases`, { completion_id: completionId })
    },
    refresh: [key('datasets')],
    done: t('answerDetails.caseMade'),
    onDone,
  })
  return (
    <Loaded query={datasets}>
      {({ items }) => (
        <Form onSubmit={() => adding.mutate()}>
          <Group gap="xs" align="flex-end">
            {items.length > 0 ? (
              <NativeSelect
                label={t('answerDetails.caseOf')}
                value={chosen}
                onChange={(event) => setWanted(event.currentTarget.value)}
                data={[
                  ...items.map(({ id, name }) => ({ value: String(id), label: name })),
                  { value: NEW, label: t('answerDetails.newDataset') },
                ]}
              />
            ) : null}
            {chosen === NEW ? (
              <TextInput
                label={t('answerDetails.newDatasetLabel')}
                maxLength={200}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            ) : null}
            <Button type="submit" loading={adding.isPending} disabled={chosen === NEW && name.trim() === ''}>
              {t('answerDetails.makeCase')}
            </Button>
            <Button variant="subtle" color="gray" onClick={onDone}>
              {t('common.cancel')}
            </Button>
          </Group>
        </Form>
      )}
    </Loaded>
  )
}
