import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface FormButtonsProps {
  /** The name of what the form does, a verb; absent: it saves. */
  submit?: string | undefined
  /** False while something is missing that the form needs. */
  isReady?: boolean | undefined
  isBusy: boolean
  onClose: () => void
}

/** The buttons at the end of a form in a dialog. */
export function FormButtons({ submit, isReady = true, isBusy, onClose }: FormButtonsProps) {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button type="submit" loading={isBusy} disabled={!isReady}>
        {submit ?? t('common.save')}
      </Button>
    </Group>
  )
}
