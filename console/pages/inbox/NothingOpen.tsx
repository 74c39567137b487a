import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/Empty.tsx'
import { InboxIcon } from '../../ui/icons.tsx'

/** The area beside the list while no conversation is open. */
export function NothingOpen() {
  const { t } = useTranslation()
  return <Empty icon={InboxIcon} title={t('inbox.choose')} text={t('inbox.chooseText')} />
}
