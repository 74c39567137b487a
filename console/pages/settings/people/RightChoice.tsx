import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const rights = ['read', 'respond', 'manage', 'own'] as const

interface RightChoiceProps extends Omit<NativeSelectProps, 'data'> {
  /** True to show only the names of the rights. */
  isShort?: boolean
}

/** The choice of a person's right, each with what it adds. */
export function RightChoice({ isShort = false, ...props }: RightChoiceProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      {...props}
      data={rights.map((value) => ({
        value,
        label: isShort ? t(`rights.${value}`) : `${t(`rights.${value}`)} – ${t(`rightsAre.${value}`)}`,
      }))}
    />
  )
}
