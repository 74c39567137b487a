import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useGroups } from '../../../api/groups.ts'
import { useRight, useWho } from '../../../api/session.ts'
import type { TeamGroup } from '../../../api/types.ts'
import { UserIcon } from '../../../ui/icons.tsx'
import { joined } from '../../../ui/isolated.ts'
import { Records } from '../Records.tsx'
import { GroupForm } from './GroupForm.tsx'

/** The groups of the team. */
export function GroupSettings() {
  const { t } = useTranslation()
  const mayOwn = useRight('own')
  const groups = useGroups()
  return (
    <Records
      title={t('settings.areas.groups')}
      lead={t('settings.groups.lead')}
      query={groups}
      itemsOf={(all) => all}
      empty={{ icon: UserIcon, title: t('settings.groups.empty'), text: t('settings.groups.emptyText') }}
      nameOf={({ name }) => name}
      rowOf={(group) => ({ title: group.name, about: <About group={group} /> })}
      texts={{
        add: t('settings.groups.add'),
        edit: t('settings.groups.edit'),
        deleteTitle: ({ name }) => t('settings.groups.deleteTitle', { name }),
        deleteText: t('settings.groups.deleteText'),
      }}
      mayAdd={mayOwn}
      form={(group, onClose) => <GroupForm group={group} onClose={onClose} />}
      remove={({ id }) => teamApi.delete(`/groups/${id}`)}
      refresh={['groups']}
    />
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
