import { NativeSelect, NumberInput, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RuleAction } from '../../../../src/actions/action.ts'
import type { Condition } from '../../../../src/conditions/condition.ts'
import { MONTH_MINUTES } from '../../../../src/lib/clock.ts'
import { automationEvents } from '../../../../src/rules/automation-events.ts'
import type { Automation, Evaluator } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { ActionList } from '../actions/ActionList.tsx'
import { type ActionValues, actionOf, actionValuesOf, ruleActionTypes } from '../actions/action-values.ts'
import { ConditionEditor } from '../conditions/ConditionEditor.tsx'
import { CommonFields, type CommonValues } from './CommonFields.tsx'
import { useRuleForm } from './use-rule-form.ts'

interface Values extends CommonValues {
  on: Automation['on']
  /** Empty: the automation does not wait. */
  minutes: number | ''
  within_hours: boolean
  condition: Condition | null
  actions: ActionValues[]
}

function valuesOf(rule: Automation | null): Values {
  return {
    name: rule?.name ?? '',
    active: rule?.active ?? true,
    position: rule?.position ?? 100,
    on: rule?.on ?? 'response',
    minutes: rule?.minutes ?? '',
    within_hours: rule?.within_hours ?? false,
    condition: rule?.condition ?? null,
    actions: actionValuesOf(rule?.actions ?? []),
  }
}

function bodyOf({ actions, minutes, ...values }: Values) {
  const waits = values.on === 'waited' && minutes !== ''
  return { ...values, minutes: waits ? minutes : null, actions: actions.map(actionOf) as RuleAction[] }
}

/** The form of an automation, which runs actions in order when its trigger occurs and its condition holds. */
export function AutomationForm({ rule, evaluators }: { rule: Automation | null; evaluators: Evaluator[] }) {
  const { t } = useTranslation()
  const { form, save, refresh } = useRuleForm('automations', rule, {
    valuesOf,
    bodyOf,
    make: (api, body) => api.post('/automations', body),
  })
  return (
    <SettingsForm form={form} save={save} refresh={refresh}>
      <Section title={t('rules.what')}>
        <CommonFields form={form} />
      </Section>
      <Section title={t('rules.when')}>
        <NativeSelect
          label={t('rules.event')}
          data={automationEvents.map((value) => ({ value, label: t(`rules.events.${value}`) }))}
          {...form.getInputProps('on')}
        />
        {form.values.on === 'waited' ? (
          <>
            <NumberInput
              label={t('rules.minutes')}
              min={1}
              max={MONTH_MINUTES}
              allowDecimal={false}
              w={200}
              {...form.getInputProps('minutes')}
            />
            <Switch
              label={t('rules.withinHours')}
              {...form.getInputProps('within_hours', { type: 'checkbox' })}
            />
          </>
        ) : null}
        <ConditionEditor evaluators={evaluators} {...form.getInputProps('condition')} />
      </Section>
      <Section title={t('rules.then')} lead={t('rules.thenLead')}>
        <ActionList form={form} types={ruleActionTypes} />
      </Section>
    </SettingsForm>
  )
}
