import { NativeSelect, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { USUAL_REPLACEMENT, USUAL_REPLY } from '../../../../src/rules/usual-texts.ts'
import type { Evaluator, Guardrail } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { CommonFields, type CommonValues } from './CommonFields.tsx'
import { EvaluatorChoice } from './EvaluatorChoice.tsx'
import { useRuleForm } from './use-rule-form.ts'

interface Values extends CommonValues {
  on: Guardrail['on']
  evaluator_id: number | null
  action: Guardrail['action']
  on_failure: 'block' | 'pass' | ''
  reply: string
  replacement: string
}

function valuesOf(rule: Guardrail | null): Values {
  return {
    name: rule?.name ?? '',
    active: rule?.active ?? true,
    position: rule?.position ?? 100,
    on: rule?.on ?? 'prompt',
    evaluator_id: rule?.evaluator_id ?? null,
    action: rule?.action ?? 'block',
    on_failure: rule?.on_failure ?? '',
    reply: rule?.reply ?? '',
    replacement: rule?.replacement ?? '',
  }
}

/** Returns the body of a request. An empty text stands for the usual one, also where another one is stored. */
function bodyOf({ evaluator_id, reply, replacement, on_failure, ...values }: Values) {
  return {
    ...values,
    // The service says that one is missing.
    evaluator_id: evaluator_id as number,
    on_failure: on_failure || null,
    reply: reply || USUAL_REPLY,
    replacement: replacement || USUAL_REPLACEMENT,
  }
}

/** The form of a guardrail, which watches prompts or answers and blocks, replaces or flags an evaluator's findings. */
export function GuardrailForm({ rule, evaluators }: { rule: Guardrail | null; evaluators: Evaluator[] }) {
  const { t } = useTranslation()
  const { form, save, refresh } = useRuleForm('guardrails', rule, {
    valuesOf,
    bodyOf,
    make: (api, body) => api.post('/guardrails', body),
  })
  const { action } = form.values
  return (
    <SettingsForm form={form} save={save} refresh={refresh}>
      <Section title={t('rules.what')}>
        <CommonFields form={form} />
      </Section>
      <Section title={t('rules.when')}>
        <NativeSelect
          label={t('rules.watches')}
          data={(['prompt', 'response'] as const).map((value) => ({ value, label: t(`rules.on.${value}`) }))}
          {...form.getInputProps('on')}
        />
        <EvaluatorChoice
          label={t('rules.evaluator')}
          evaluators={evaluators}
          {...form.getInputProps('evaluator_id')}
        />
      </Section>
      <Section title={t('rules.then')}>
        <NativeSelect
          label={t('rules.action')}
          data={(['block', 'replace', 'flag'] as const).map((value) => ({
            value,
            label: t(`rules.actions.${value}`),
          }))}
          {...form.getInputProps('action')}
        />
        {action === 'block' ? (
          <Textarea label={t('rules.reply')} autosize minRows={2} {...form.getInputProps('reply')} />
        ) : null}
        {action === 'replace' ? (
          <Textarea
            label={t('rules.replacement')}
            autosize
            minRows={2}
            {...form.getInputProps('replacement')}
          />
        ) : null}
        <NativeSelect
          label={t('rules.onFailure')}
          data={(['', 'block', 'pass'] as const).map((value) => ({
            value,
            label: t(`rules.failures.${value || 'default'}`),
          }))}
          {...form.getInputProps('on_failure')}
        />
      </Section>
    </SettingsForm>
  )
}
