import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useGroups } from '../../../api/groups.ts'
import { useRight, useWho } from '../../../api/session.ts'
import type { TeamGroup } from '../../../api/types.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { EditOrDelete } from '../../../ui/EditOrDelete.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { UserIcon } from '../../../ui/icons.tsx'
import { joined } from '../../../ui/isolated.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { GroupForm } from './GroupForm.tsx'

/** The groups of the team. */
export function GroupSettings() {
  const { t } = useTranslation()
  const mayOwn = useRight('own')
  /** The group that is open in the form; `new` for a new one. */
  const [edited, setEdited] = useState<TeamGroup | 'new' | null>(null)
  const [deleted, setDeleted] = useState<TeamGroup | null>(null)
  const groups = useGroups()
  const deleting = useAction({
    run: ({ id }: TeamGroup) => teamApi.delete(`/groups/${id}`),
    refresh: [['groups']],
    onDone: () => setDeleted(null),
  })
  return (
    <Page
      title={t('settings.areas.groups')}
      lead={t('settings.groups.lead')}
      narrow
      actions={mayOwn ? <Button onClick={() => setEdited('new')}>{t('settings.groups.add')}</Button> : null}
    >
      <Loaded query={groups}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={UserIcon} title={t('settings.groups.empty')} text={t('settings.groups.emptyText')} />
          ) : (
            <Rows label={t('settings.areas.groups')}>
              {all.map((group) => (
                <Row
                  key={group.id}
                  title={group.name}
                  about={<About group={group} />}
                  actions={
                    mayOwn ? (
                      <EditOrDelete
                        name={group.name}
                        edit={t('settings.groups.edit')}
                        onEdit={() => setEdited(group)}
                        onDelete={() => setDeleted(group)}
                      />
                    ) : null
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {edited ? <GroupForm group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
      {deleted ? (
        <Confirm
          title={t('settings.groups.deleteTitle', { name: deleted.name })}
          text={t('settings.groups.deleteText')}
          action={t('common.delete')}
          isBusy={deleting.isPending}
          onConfirm={() => deleting.mutate(deleted)}
          onClose={() => setDeleted(null)}
        />
      ) : null}
    </Page>
  )
}

/** A line about a group: its people, its agents, and how it gives conversations to people. */
function About({ group: { operators, agents, assignment, at_once, hours } }: { group: TeamGroup }) {
  const { t } = useTranslation()
  const { agents: all } = useWho()
  const named = all.filter(({ id }) => agents.includes(id)).map(({ name }) => name)
  return joined([
    t('settings.groups.people', { count: operators.length }),
    agents.length === 0 ? t('settings.groups.allAgents') : joined(named, ', '),
    t(`settings.groups.assignments.${assignment}`),
    assignment !== 'off' && at_once !== null && t('settings.groups.upTo', { count: at_once }),
    hours && t('settings.groups.ownHours'),
  ])
}
