import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface EditOrDeleteProps {
  /** The name of the thing, which tells screen readers one row's buttons from another's. */
  name: string
  /** The word for changing it. */
  edit: string
  onEdit: () => void
  onDelete: () => void
}

/** The buttons of a row that change a thing or delete it. */
export function EditOrDelete({ name, edit, onEdit, onDelete }: EditOrDeleteProps) {
  const { t } = useTranslation()
  return (
    <>
      <Button variant="default" aria-label={`${edit}: ${name}`} onClick={onEdit}>
        {edit}
      </Button>
      <Button variant="default" aria-label={`${t('common.delete')}: ${name}`} onClick={onDelete}>
        {t('common.delete')}
      </Button>
    </>
  )
}
