import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Target } from '../../../api/types.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { EditOrDelete } from '../../../ui/EditOrDelete.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { ClockIcon } from '../../../ui/icons.tsx'
import { joined } from '../../../ui/isolated.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { TargetForm, targetTimes } from './TargetForm.tsx'

/** The times within which users are promised people. */
export function TargetSettings() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayManage = useRight('manage')
  /** The target that is open in the form; `new` for a new one. */
  const [edited, setEdited] = useState<Target | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Target | null>(null)
  const targets = useQuery({
    queryKey: key('targets'),
    queryFn: async () => (await api.get('/targets')).data,
  })
  const deleting = useAction({
    run: ({ id }: Target) => api.delete(`/targets/${id}`),
    refresh: [key('targets')],
    onDone: () => setDeleted(null),
  })
  return (
    <Page
      title={t('settings.areas.targets')}
      lead={t('settings.targets.lead')}
      narrow
      actions={
        mayManage ? <Button onClick={() => setEdited('new')}>{t('settings.targets.add')}</Button> : null
      }
    >
      <Loaded query={targets}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              icon={ClockIcon}
              title={t('settings.targets.empty')}
              text={t('settings.targets.emptyText')}
            />
          ) : (
            <Rows label={t('settings.areas.targets')}>
              {all.map((target) => (
                <Row
                  key={target.id}
                  title={target.name}
                  about={<About target={target} />}
                  actions={
                    mayManage ? (
                      <EditOrDelete
                        name={target.name}
                        edit={t('settings.targets.edit')}
                        onEdit={() => setEdited(target)}
                        onDelete={() => setDeleted(target)}
                      />
                    ) : null
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {edited ? (
        <TargetForm target={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
      {deleted ? (
        <Confirm
          title={t('settings.targets.deleteTitle', { name: deleted.name })}
          text={t('settings.targets.deleteText')}
          action={t('common.delete')}
          isBusy={deleting.isPending}
          onConfirm={() => deleting.mutate(deleted)}
          onClose={() => setDeleted(null)}
        />
      ) : null}
    </Page>
  )
}

/** A line about a target: its times, and which conversations it is for. */
function About({ target }: { target: Target }) {
  const { t } = useTranslation()
  return joined([
    ...targetTimes.map((time) => {
      const count = target[time]
      return count === null
        ? null
        : `${t(`settings.targets.times.${time}`)}: ${t('settings.targets.count', { count })}`
    }),
    t(target.condition ? 'settings.targets.some' : 'settings.targets.all'),
  ])
}
