import { Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { OriginsInput } from './OriginsInput.tsx'
import type { WidgetValues } from './widget-values.ts'

/** The widget's name in the console, and the sites on which it works. */
export function PlaceFields({ form }: { form: UseFormReturnType<WidgetValues> }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('widgets.name')} {...form.getInputProps('name')} />
      <OriginsInput {...form.getInputProps('allowed_origins')} />
      <Switch
        label={t('widgets.active')}
        description={t('widgets.activeHint')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </>
  )
}
