import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/**
 * A choice of the proof that a tool requires of the end user.
 * @param isNew true if the service may still decide by the templates
 */
export function RequiresField({ isNew, ...props }: NativeSelectProps & { isNew: boolean }) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('tools.requires')}
      description={t('tools.requiresHint')}
      data={[
        ...(isNew ? [{ value: '', label: t('tools.requirements.auto') }] : []),
        ...(['none', 'identified', 'verified'] as const).map((value) => ({
          value,
          label: t(`tools.requirements.${value}`),
        })),
      ]}
      {...props}
    />
  )
}
