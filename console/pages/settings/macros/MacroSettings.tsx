import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Macro } from '../../../api/types.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { EditOrDelete } from '../../../ui/EditOrDelete.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { SpeechIcon } from '../../../ui/icons.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useMacros } from '../../macros/use-macros.ts'
import { MacroForm } from './MacroForm.tsx'

/** The macros that the person has, own and shared. */
export function MacroSettings() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const mayManage = useRight('manage')
  /** The macro that is open in the form; `new` for a new one. */
  const [edited, setEdited] = useState<Macro | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Macro | null>(null)
  const macros = useMacros()
  const deleting = useAction({
    run: ({ id }: Macro) => api.delete(`/macros/${id}`),
    refresh: [key('macros')],
    onDone: () => setDeleted(null),
  })
  const mayEdit = ({ actions }: Macro) =>
    mayRespond && (mayManage || actions.every(({ type }) => type !== 'call_webhook'))
  return (
    <Page
      title={t('settings.areas.macros')}
      lead={t('macros.lead')}
      narrow
      actions={mayRespond ? <Button onClick={() => setEdited('new')}>{t('macros.add')}</Button> : null}
    >
      <Loaded query={macros}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon={SpeechIcon} title={t('macros.empty')} text={t('macros.emptyText')} />
          ) : (
            <Rows label={t('settings.areas.macros')}>
              {items.map((macro) => (
                <Row
                  key={macro.id}
                  title={macro.name}
                  about={[
                    macro.actions.map(({ type }) => t(`rules.actionTypes.${type}`)).join(' · '),
                    ...(macro.shared ? [] : [t('macros.onlyYou')]),
                  ].join(' · ')}
                  actions={
                    mayEdit(macro) ? (
                      <EditOrDelete
                        name={macro.name}
                        edit={t('macros.edit')}
                        onEdit={() => setEdited(macro)}
                        onDelete={() => setDeleted(macro)}
                      />
                    ) : null
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {edited ? <MacroForm macro={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
      {deleted ? (
        <Confirm
          title={t('macros.deleteTitle', { name: deleted.name })}
          text={t('macros.deleteText')}
          action={t('common.delete')}
          isBusy={deleting.isPending}
          onConfirm={() => deleting.mutate(deleted)}
          onClose={() => setDeleted(null)}
        />
      ) : null}
    </Page>
  )
}
