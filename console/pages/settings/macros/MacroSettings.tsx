import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { SpeechIcon } from '../../../ui/icons.tsx'
import { useMacros } from '../../macros/use-macros.ts'
import { Records } from '../Records.tsx'
import { MacroForm } from './MacroForm.tsx'

/** The macros that the person has, own and shared. */
export function MacroSettings() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const mayManage = useRight('manage')
  const macros = useMacros()
  return (
    <Records
      title={t('settings.areas.macros')}
      lead={t('macros.lead')}
      query={macros}
      itemsOf={(all) => all}
      empty={{ icon: SpeechIcon, title: t('macros.empty'), text: t('macros.emptyText') }}
      nameOf={({ name }) => name}
      rowOf={({ name, actions, shared }) => ({
        title: name,
        about: [
          actions.map(({ type }) => t(`rules.actionTypes.${type}`)).join(' · '),
          ...(shared ? [] : [t('macros.onlyYou')]),
        ].join(' · '),
      })}
      texts={{
        add: t('macros.add'),
        edit: t('macros.edit'),
        deleteTitle: ({ name }) => t('macros.deleteTitle', { name }),
        deleteText: t('macros.deleteText'),
      }}
      mayAdd={mayRespond}
      mayEdit={({ actions, can_change }) =>
        can_change && mayRespond && (mayManage || actions.every(({ type }) => type !== 'call_webhook'))
      }
      form={(macro, onClose) => <MacroForm macro={macro} onClose={onClose} />}
      remove={({ id }) => api.delete(`/macros/${id}`)}
      refresh={key('macros')}
    />
  )
}
