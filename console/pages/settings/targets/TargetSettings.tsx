import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Target } from '../../../api/types.ts'
import { joined } from '../../../texts/isolated.ts'
import { ClockIcon } from '../../../ui/icons.tsx'
import { Records } from '../Records.tsx'
import { TargetForm, targetTimes } from './TargetForm.tsx'

/** The targets: times within which users who need a person are to get one. */
export function TargetSettings() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayManage = useRight('manage')
  const targets = useQuery({
    queryKey: key('targets'),
    queryFn: async () => (await api.get('/targets')).data,
  })
  return (
    <Records
      title={t('settings.areas.targets')}
      lead={t('settings.targets.lead')}
      query={targets}
      itemsOf={(all) => all}
      empty={{
        icon: ClockIcon,
        title: t('settings.targets.empty'),
        text: t('settings.targets.emptyText'),
      }}
      nameOf={({ name }) => name}
      rowOf={(target) => ({ title: target.name, about: <About target={target} /> })}
      texts={{
        add: t('settings.targets.add'),
        edit: t('settings.targets.edit'),
        deleteTitle: ({ name }) => t('settings.targets.deleteTitle', { name }),
        deleteText: t('settings.targets.deleteText'),
      }}
      mayAdd={mayManage}
      form={(target, onClose) => <TargetForm target={target} onClose={onClose} />}
      remove={({ id }) => api.delete(`/targets/${id}`)}
      refresh={key('targets')}
    />
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
