import { useTranslation } from 'react-i18next'
import type { Condition } from '../../../../src/conditions/condition.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Automation, Evaluator } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { ActionList } from '../actions/ActionList.tsx'
import { type ActionValues, actionOf, actionValuesOf, ruleActionTypes } from '../actions/action-values.ts'
import { ConditionEditor } from '../conditions/ConditionEditor.tsx'
import { CommonFields, type CommonValues } from './CommonFields.tsx'
import { useSaveRule } from './use-save-rule.ts'

interface Values extends CommonValues {
  condition: Condition | null
  actions: ActionValues[]
}

function valuesOf(rule: Automation | null): Values {
  return {
    name: rule?.name ?? '',
    active: rule?.active ?? true,
    position: rule?.position ?? 100,
    condition: rule?.condition ?? null,
    actions: actionValuesOf(rule?.actions ?? []),
  }
}

function bodyOf({ actions, ...values }: Values) {
  return { ...values, actions: actions.map(actionOf) }
}

/** The form of an automation, which runs actions in order after an answer when its condition holds. */
export function AutomationForm({ rule, evaluators }: { rule: Automation | null; evaluators: Evaluator[] }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const send = useSaveRule<Automation>('automations', rule?.id ?? null)
  const { form, save } = useSeededForm(rule, { valuesOf, bodyOf, send })
  return (
    <SettingsForm form={form} isReadOnly={!useRight('manage')} refresh={[key('rules')]} save={save}>
      <Section title={t('rules.what')}>
        <CommonFields form={form} />
      </Section>
      <Section title={t('rules.when')}>
        <ConditionEditor evaluators={evaluators} {...form.getInputProps('condition')} />
      </Section>
      <Section title={t('rules.then')} lead={t('rules.thenLead')}>
        <ActionList form={form} types={ruleActionTypes} />
      </Section>
    </SettingsForm>
  )
}
