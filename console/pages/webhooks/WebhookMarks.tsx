import { useTranslation } from 'react-i18next'
import type { Notification } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'

/** The marks that show whether a webhook is on, and whether its receiver answers. */
export function WebhookMarks({ webhook }: { webhook: Notification }) {
  const { t } = useTranslation()
  const { active, failures, held_until } = webhook
  if (!active) return <Mark tone="grey">{t('webhooks.isOff')}</Mark>
  if (held_until) return <Mark tone="red">{t('webhooks.isHeld')}</Mark>
  if (failures > 0) return <Mark tone="red">{t('webhooks.failures', { count: failures })}</Mark>
  return <Mark tone="green">{t('webhooks.isOn')}</Mark>
}
