import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Notification } from '../../api/types.ts'
import { AT, WithTime } from '../../ui/WithTime.tsx'

/** Shows when something was last sent to a webhook, and the result. */
export function LastDelivery({ delivery }: { delivery: Notification['last_delivery'] }) {
  const { t } = useTranslation()
  if (!delivery) return t('webhooks.noDeliveries')
  const { state, status, at } = delivery
  const hasFailed = state === 'rejected' || state === 'failed' || state === 'blocked'
  const outcome = t(`webhooks.states.${state}`) + (status === null ? '' : ` (${status})`)
  return (
    <Text inherit {...(hasFailed ? { c: 'var(--parley-red)' } : {})}>
      <WithTime text={t('webhooks.last', { outcome, at: AT })} at={at} />
    </Text>
  )
}
