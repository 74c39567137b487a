import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Condition } from '../../../../src/conditions/condition.ts'
import type { Cta, Evaluator } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { ConditionEditor } from '../conditions/ConditionEditor.tsx'
import { CommonFields, type CommonValues } from './CommonFields.tsx'
import { EvaluatorChoice } from './EvaluatorChoice.tsx'
import { useRuleForm } from './use-rule-form.ts'

interface Values extends CommonValues {
  content: string
  url: string
  button: string
  condition: Condition | null
  evaluator_id: number | null
  max_per_conversation: number | ''
}

function valuesOf(rule: Cta | null): Values {
  return {
    name: rule?.name ?? '',
    active: rule?.active ?? true,
    position: rule?.position ?? 100,
    content: rule?.content ?? '',
    url: rule?.url ?? '',
    button: rule?.button ?? '',
    condition: rule?.condition ?? null,
    evaluator_id: rule?.evaluator_id ?? null,
    max_per_conversation: rule?.max_per_conversation ?? '',
  }
}

function bodyOf({ url, button, max_per_conversation, ...values }: Values) {
  return {
    ...values,
    url: url.trim() || null,
    button: button.trim() || null,
    max_per_conversation: max_per_conversation === '' ? null : max_per_conversation,
  }
}

/** The form of a CTA, which is shown beside an answer when its condition holds and its evaluator passes. */
export function CtaForm({ rule, evaluators }: { rule: Cta | null; evaluators: Evaluator[] }) {
  const { t } = useTranslation()
  const { form, save, refresh } = useRuleForm('ctas', rule, {
    valuesOf,
    bodyOf,
    make: (api, body) => api.post('/ctas', body),
  })
  return (
    <SettingsForm form={form} save={save} refresh={refresh}>
      <Section title={t('rules.what')}>
        <CommonFields form={form} />
      </Section>
      <Section title={t('rules.when')}>
        <ConditionEditor evaluators={evaluators} {...form.getInputProps('condition')} />
        <EvaluatorChoice
          label={t('rules.evaluatorToo')}
          evaluators={evaluators}
          {...form.getInputProps('evaluator_id')}
        />
        <NumberInput
          label={t('rules.most')}
          min={1}
          max={1000}
          allowDecimal={false}
          w={240}
          {...form.getInputProps('max_per_conversation')}
        />
      </Section>
      <Section title={t('rules.shown')}>
        <Textarea label={t('rules.content')} autosize minRows={2} {...form.getInputProps('content')} />
        <TextInput label={t('rules.button')} {...form.getInputProps('button')} />
        <TextInput label={t('rules.url')} placeholder="https://example.com" {...form.getInputProps('url')} />
      </Section>
    </SettingsForm>
  )
}
