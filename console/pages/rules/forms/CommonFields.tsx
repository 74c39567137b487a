import { NumberInput, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'

export interface CommonValues extends Record<string, unknown> {
  name: string
  active: boolean
  position: number
}

/** The fields that rules of every kind have. */
export function CommonFields<Values extends CommonValues>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('rules.name')} {...form.getInputProps('name')} />
      <Switch label={t('rules.active')} {...form.getInputProps('active', { type: 'checkbox' })} />
      <NumberInput
        label={t('rules.position')}
        description={t('rules.positionHint')}
        min={0}
        max={1_000_000}
        allowDecimal={false}
        w={200}
        {...form.getInputProps('position')}
      />
    </>
  )
}
