import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The field for the origins of the sites on which a widget works. */
export function OriginsInput(props: TagsInputProps) {
  const { t } = useTranslation()
  return (
    <TagsInput
      label={t('widgets.origins')}
      description={t('widgets.originsHint')}
      placeholder="https://shop.example.com"
      acceptValueOnBlur
      {...props}
    />
  )
}
