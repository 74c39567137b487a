import { Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Action } from '../../../../src/actions/action.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Macro } from '../../../api/types.ts'
import { ActionList } from '../../rules/actions/ActionList.tsx'
import {
  type ActionValues,
  actionOf,
  actionValuesOf,
  macroActionTypes,
  newAction,
} from '../../rules/actions/action-values.ts'
import { RecordForm } from '../RecordForm.tsx'

interface MacroFormProps {
  /** Null for a new one. */
  macro: Macro | null
  onClose: () => void
}

interface Values extends Record<string, unknown> {
  name: string
  shared: boolean
  actions: ActionValues[]
}

function valuesOf(macro: Macro | null): Values {
  const { name = '', shared = false, actions } = macro ?? {}
  return {
    name,
    shared,
    actions: actions ? actionValuesOf(actions) : [{ ...newAction, type: 'reply' }],
  }
}

/** The form of a macro. */
export function MacroForm({ macro, onClose }: MacroFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayManage = useRight('manage')
  return (
    <RecordForm
      title={t(macro ? 'macros.edit' : 'macros.add')}
      size="lg"
      record={macro}
      valuesOf={valuesOf}
      bodyOf={({ actions, ...values }: Values) => ({ ...values, actions: actions.map(actionOf) as Action[] })}
      send={async (body) => {
        const stored = macro ? api.patch(`/macros/${macro.id}`, body) : api.post('/macros', body)
        return (await stored).data
      }}
      refresh={[key('macros')]}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput label={t('macros.name')} data-autofocus {...form.getInputProps('name')} />
          <Checkbox
            label={t('macros.shared')}
            description={macro?.shared && !form.getValues().shared ? t('macros.unshared') : undefined}
            {...form.getInputProps('shared', { type: 'checkbox' })}
          />
          <ActionList
            form={form}
            types={macroActionTypes.filter((type) => mayManage || type !== 'call_webhook')}
          />
        </>
      )}
    </RecordForm>
  )
}
