import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useEverybody } from '../../../api/colleagues.ts'
import { useGroups } from '../../../api/groups.ts'
import { useAgent, useRight, useWho } from '../../../api/session.ts'
import type { Automation, TeamGroup } from '../../../api/types.ts'
import { joined } from '../../../texts/isolated.ts'
import { UserIcon } from '../../../ui/icons.tsx'
import { hoursText } from '../hours/hours-text.ts'
import { Records } from '../Records.tsx'
import { GroupForm } from './GroupForm.tsx'

/** The most automations that one page of them has. */
const MOST_RULES = 100

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
      above={groups.data && groups.data.length > 0 ? <NoneAssigns groups={groups.data} /> : null}
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

/** Says how conversations get into groups, as long as no automation of the agent gives them to any of the groups. */
function NoneAssigns({ groups }: { groups: readonly TeamGroup[] }) {
  const { t } = useTranslation()
  const { id, name, api, key } = useAgent()
  const automations = useQuery({
    queryKey: key('rules', 'automations', 'all'),
    queryFn: async () => (await api.get('/automations', { per_page: MOST_RULES })).data,
  })
  const assigns = ({ active, actions }: Automation) =>
    active &&
    actions.some(({ type, group_id }) => type === 'assign' && groups.some((group) => group.id === group_id))
  const { data } = automations
  if (!data || data.length === MOST_RULES || data.some(assigns)) return null
  return (
    <Alert color="gray">
      {t('settings.groups.noneAssigns', { agent: name })}{' '}
      <Anchor
        renderRoot={(props) => (
          <Link
            to="/agents/$agentId/rules"
            params={{ agentId: String(id) }}
            search={{ kind: 'automations' }}
            {...props}
          />
        )}
      >
        {t('settings.groups.toAutomations')}
      </Anchor>
    </Alert>
  )
}

/** A line about a group: its people, its agents, and how it gives conversations to people. */
function About({ group: { operators, agents, assignment, at_once, hours } }: { group: TeamGroup }) {
  const { t, i18n } = useTranslation()
  const { agents: all } = useWho()
  const names = useEverybody()
    .filter(({ id }) => operators.includes(id))
    .map(({ name }) => name)
  const named = all.filter(({ id }) => agents.includes(id)).map(({ name }) => name)
  return joined([
    operators.length === 0 ? t('settings.groups.nobody') : joined(names, ', '),
    agents.length === 0 ? t('settings.groups.allAgents') : joined(named, ', '),
    t(`settings.groups.assignments.${assignment}`),
    assignment !== 'off' && at_once !== null && t('settings.groups.upTo', { count: at_once }),
    hours ? hoursText(hours, i18n.language) : t('settings.groups.agentHours'),
  ])
}
