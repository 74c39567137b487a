import { NumberInput, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { CaseValues } from './case-values.ts'

/** The fields of a simulated customer: its goal and, if a model plays it, its facts and the most messages it sends. */
export function CustomerFields({ form }: { form: UseFormReturnType<CaseValues> }) {
  const { t } = useTranslation()
  const isModel = form.values.asks === 'model'
  return (
    <>
      <Textarea
        label={t('tests.goal')}
        description={isModel ? t('tests.goalHint') : t('tests.goalOfTitle')}
        placeholder={t('tests.goalExample')}
        autosize
        minRows={2}
        required={isModel}
        maxLength={2000}
        {...form.getInputProps('goal')}
      />
      {isModel ? (
        <>
          <Textarea
            label={t('tests.facts')}
            description={t('tests.factsHint')}
            placeholder={t('tests.factsExample')}
            autosize
            minRows={2}
            {...form.getInputProps('facts')}
          />
          <NumberInput
            label={t('tests.turns')}
            description={t('tests.turnsHint')}
            placeholder="5"
            min={1}
            max={10}
            allowDecimal={false}
            maw={240}
            {...form.getInputProps('turns')}
          />
        </>
      ) : null}
    </>
  )
}
