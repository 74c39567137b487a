import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { useList } from '../../api/use-list.ts'
import { type CaseValues, kinds, newExpectation } from './case-values.ts'

/** An expectation of the answer. */
export function ExpectationFields({ form, at }: { form: UseFormReturnType<CaseValues>; at: number }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const kind = form.values.expectations[at]?.kind
  const evaluators = useList(key('evaluators'), api, '/evaluators', { per_page: 100 })
  const place = `expectations.${at}`
  return (
    <>
      <NativeSelect
        label={t('tests.kind')}
        flex="1 1 160px"
        data={kinds.map((name) => ({ value: name, label: t(`tests.kinds.${name}`) }))}
        {...form.getInputProps(`${place}.kind`)}
        onChange={(event) =>
          form.setFieldValue(place, {
            ...newExpectation,
            kind: event.currentTarget.value as (typeof kinds)[number],
            value: ['abstains', 'asked_person'].includes(event.currentTarget.value) ? 'true' : '',
          })
        }
      />
      {kind === 'abstains' || kind === 'asked_person' ? (
        <NativeSelect
          label={t('tests.value')}
          flex="2 1 160px"
          data={['true', 'false'].map((value) => ({
            value,
            label: t(`tests.${kind}.${value as 'true' | 'false'}`),
          }))}
          {...form.getInputProps(`${place}.value`)}
        />
      ) : kind === 'evaluator' ? (
        <NativeSelect
          label={t('tests.value')}
          flex="2 1 160px"
          data={[
            { value: '', label: t('tests.chooseEvaluator') },
            ...(evaluators.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...form.getInputProps(`${place}.value`)}
        />
      ) : kind === 'turns' ? (
        <NumberInput
          label={t('tests.messageCount')}
          flex="2 1 160px"
          min={1}
          max={10}
          allowDecimal={false}
          {...form.getInputProps(`${place}.value`)}
        />
      ) : (
        <TextInput
          label={kind === 'finds' ? t('tests.page') : t('tests.value')}
          flex="2 1 160px"
          {...form.getInputProps(`${place}.value`)}
        />
      )}
      {kind === 'finds' ? (
        <TextInput label={t('tests.heading')} flex="1 1 160px" {...form.getInputProps(`${place}.heading`)} />
      ) : null}
      {(kind === 'contains' || kind === 'not_contains') && form.values.asks !== 'messages' ? (
        <NativeSelect
          label={t('tests.inAnswer')}
          flex="1 1 150px"
          data={(['any', 'last'] as const).map((value) => ({ value, label: t(`tests.inAnswers.${value}`) }))}
          {...form.getInputProps(`${place}.answer`)}
        />
      ) : null}
    </>
  )
}
