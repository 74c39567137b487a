import { Anchor, Button, Group, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Dataset } from '../../../api/types.ts'
import { useList } from '../../../api/use-list.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Makes a test case of a prompt and its answer. */
export function KeepAsTest({ completionId }: { completionId: string }) {
  const { t } = useTranslation()
  const mayManage = useRight('manage')
  const [isOpen, choosing] = useDisclosure(false)
  if (!mayManage) return null
  if (isOpen) return <DatasetChoice completionId={completionId} onDone={choosing.close} />
  return (
    <Group>
      <Button variant="default" onClick={choosing.open}>
        {t('inbox.makeCase')}
      </Button>
    </Group>
  )
}

function DatasetChoice({ completionId, onDone }: { completionId: string; onDone: () => void }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const datasets = useList<Dataset>(key('datasets'), api, '/datasets', { per_page: 100 })
  const [wanted, setWanted] = useState('')
  const chosen = wanted || String(datasets.data?.items[0]?.id ?? '')
  const adding = useAction({
    run: () => api.post(`/datasets/${chosen}/cases`, { completion_id: completionId }),
    refresh: [key('datasets')],
    done: t('inbox.caseMade'),
    onDone,
  })
  return (
    <Loaded query={datasets}>
      {({ items }) =>
        items.length === 0 ? (
          <Text fz={13}>
            {t('inbox.noDatasets')}{' '}
            <Anchor
              fz={13}
              renderRoot={(props) => (
                <Link to="/agents/$agentId/tests" params={{ agentId: String(id) }} {...props} />
              )}
            >
              {t('pages.tests')}
            </Anchor>
          </Text>
        ) : (
          <Group gap="xs" align="flex-end">
            <NativeSelect
              label={t('inbox.caseOf')}
              value={chosen}
              onChange={(event) => setWanted(event.currentTarget.value)}
              data={items.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <Button loading={adding.isPending} onClick={() => adding.mutate()}>
              {t('inbox.makeCase')}
            </Button>
            <Button variant="subtle" color="gray" onClick={onDone}>
              {t('common.cancel')}
            </Button>
          </Group>
        )
      }
    </Loaded>
  )
}
