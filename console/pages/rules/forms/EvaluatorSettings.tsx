import { NativeSelect, NumberInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredSecret } from '../../../../src/http/stored-secret.ts'
import { SecretInput } from '../../../ui/SecretInput.tsx'
import { ConditionEditor } from '../conditions/ConditionEditor.tsx'
import type { EvaluatorValues } from './evaluator-values.ts'

interface EvaluatorSettingsProps {
  form: UseFormReturnType<EvaluatorValues>
  /** The secret of a stored webhook. */
  secret: StoredSecret | null
}

/** The settings of an evaluator of the chosen kind. */
export function EvaluatorSettings({ form, secret }: EvaluatorSettingsProps): ReactElement {
  const { t } = useTranslation()
  const input = (name: string) => form.getInputProps(`settings.${name}`)
  const tick = (name: string) => form.getInputProps(`settings.${name}`, { type: 'checkbox' })
  switch (form.values.kind) {
    case 'keywords':
      return (
        <>
          <TagsInput
            label={t('rules.words')}
            description={t('rules.wordsHint')}
            splitChars={[]}
            {...input('words')}
          />
          <NativeSelect
            label={t('rules.match')}
            data={(['any', 'all'] as const).map((value) => ({ value, label: t(`rules.matches.${value}`) }))}
            {...input('match')}
          />
          <Switch label={t('rules.exact')} {...tick('exact')} />
        </>
      )
    case 'personal_data':
      return (
        <TagsInput
          label={t('settings.redaction.types')}
          description={t('settings.redaction.typesHint')}
          {...input('types')}
        />
      )
    case 'similarity':
      return <TagsInput label={t('rules.examples')} splitChars={[]} {...input('examples')} />
    case 'language':
      return <TagsInput label={t('rules.languages')} placeholder="de" {...input('languages')} />
    case 'length':
      return (
        <>
          <NumberInput label={t('rules.min')} min={0} {...input('min')} />
          <NumberInput label={t('rules.max')} min={0} {...input('max')} />
          <NativeSelect
            label={t('rules.unit')}
            data={(['characters', 'words'] as const).map((value) => ({
              value,
              label: t(`rules.units.${value}`),
            }))}
            {...input('unit')}
          />
        </>
      )
    case 'regex':
      return (
        <>
          <TextInput label={t('settings.redaction.pattern')} ff="monospace" {...input('pattern')} />
          <Switch label={t('rules.ignoreCase')} {...tick('ignore_case')} />
        </>
      )
    case 'condition':
      return <ConditionEditor evaluators={[]} {...input('condition')} />
    case 'model_judge':
      return (
        <>
          <Textarea label={t('rules.criteria')} autosize minRows={3} {...input('criteria')} />
          <TextInput label={t('rules.judge')} description={t('rules.judgeHint')} {...input('model')} />
        </>
      )
    case 'webhook':
      return (
        <>
          <TextInput label={t('rules.url')} {...input('url')} />
          <SecretInput
            label={t('rules.secret')}
            stored={secret ?? { set: false, last_four: null }}
            field="settings.secret"
            {...input('secret')}
          />
        </>
      )
  }
}
