import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface DialogProps extends Omit<ModalProps, 'opened' | 'closeButtonProps'> {
  title: string
}

/** An open dialog, whose close button has a name. */
export function Dialog(props: DialogProps) {
  const { t } = useTranslation()
  return <Modal opened closeButtonProps={{ 'aria-label': t('common.close') }} {...props} />
}
