import { NativeSelect, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { WidgetValues } from './widget-values.ts'

/** The settings of whether visitors may or must be people whom the site knows. */
export function IdentityFields({ form }: { form: UseFormReturnType<WidgetValues> }) {
  const { t } = useTranslation()
  const { identity } = form.values
  return (
    <>
      <NativeSelect
        label={t('widgets.who')}
        data={(['optional', 'required', 'off'] as const).map((value) => ({
          value,
          label: t(`widgets.identities.${value}`),
        }))}
        {...form.getInputProps('identity')}
      />
      {identity === 'off' ? null : (
        <Text size="secondary" c="dimmed">
          {t('widgets.identityHint')}
        </Text>
      )}
    </>
  )
}
