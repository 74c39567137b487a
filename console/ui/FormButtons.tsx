import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface FormButtonsProps {
  /** The name of what the form does, a verb; absent: it saves. */
  submit?: string
  isBusy: boolean
  onClose: () => void
}

/** The buttons at the end of a form in a dialog. */
export function FormButtons({ submit, isBusy, onClose }: FormButtonsProps) {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button type="submit" loading={isBusy}>
        {submit ?? t('common.save')}
      </Button>
    </Group>
  )
}
