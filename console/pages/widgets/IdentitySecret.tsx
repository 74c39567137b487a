import { useTranslation } from 'react-i18next'
import { ShownOnce } from '../../ui/ShownOnce.tsx'

/** The secret with which a site proves who its visitors are. */
export function IdentitySecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <ShownOnce
      title={t('widgets.secretTitle')}
      text={t('widgets.secretText')}
      secrets={[{ label: t('widgets.secret'), value: secret }]}
      onClose={onClose}
    />
  )
}
