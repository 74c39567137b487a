import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StoredSecret } from '../../../../src/http/stored-secret.ts'
import type { Evaluator, NewEvaluator } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { EvaluatorSettings } from './EvaluatorSettings.tsx'
import { type EvaluatorKind, evaluatorKinds, settingsBody, settingsValues } from './evaluator-settings.ts'
import type { EvaluatorValues } from './evaluator-values.ts'
import { useRuleForm } from './use-rule-form.ts'

function valuesOf(evaluator: Evaluator | null): EvaluatorValues {
  const kind = evaluator?.kind ?? 'keywords'
  return {
    name: evaluator?.name ?? '',
    kind,
    settings: settingsValues(kind, evaluator?.settings ?? {}),
    threshold: evaluator?.threshold ?? '',
    invert: evaluator?.invert ?? false,
  }
}

function bodyOf({ name, kind, settings, threshold, invert }: EvaluatorValues, base: Evaluator | null) {
  return {
    name,
    kind,
    settings: settingsBody(kind, settings, base === null) as NewEvaluator['settings'],
    threshold: threshold === '' ? null : threshold,
    invert,
  }
}

/** The form of an evaluator, which scores a text from 0 to 1 for rules. */
export function EvaluatorForm({ rule }: { rule: Evaluator | null }) {
  const { t } = useTranslation()
  const { form, save, refresh } = useRuleForm('evaluators', rule, {
    valuesOf,
    bodyOf,
    make: (api, { threshold, ...body }) =>
      api.post('/evaluators', threshold === null ? body : { ...body, threshold }),
  })
  const { kind } = form.values
  return (
    <SettingsForm form={form} save={save} refresh={refresh}>
      <Section title={t('rules.what')}>
        <TextInput label={t('rules.name')} {...form.getInputProps('name')} />
        {rule === null ? (
          <NativeSelect
            label={t('rules.evaluatorKind')}
            data={evaluatorKinds.map((value) => ({ value, label: t(`rules.evaluators.${value}`) }))}
            value={kind}
            onChange={(event) => {
              const next = event.currentTarget.value as EvaluatorKind
              form.setValues({ kind: next, settings: settingsValues(next, {}) })
            }}
          />
        ) : null}
      </Section>
      <Section title={t(`rules.evaluators.${kind}`)} lead={t(`rules.evaluatorLeads.${kind}`)}>
        <EvaluatorSettings form={form} secret={(rule?.settings.secret as StoredSecret) ?? null} />
      </Section>
      <Section title={t('rules.passing')}>
        <NumberInput
          label={t('rules.threshold')}
          description={t('rules.thresholdHint')}
          min={0}
          max={1}
          step={0.05}
          w={240}
          {...form.getInputProps('threshold')}
        />
        <Switch label={t('rules.invert')} {...form.getInputProps('invert', { type: 'checkbox' })} />
      </Section>
    </SettingsForm>
  )
}
