import { Blockquote, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PauseForecast } from '../api/types.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useFormattedNumber } from '../ui/formatted-number.ts'
import { useUntold } from './use-untold.ts'

interface PauseConfirmProps {
  forecast: PauseForecast
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Shows the message that users would get, and their number, before it is sent. */
export function PauseConfirm({ forecast, isBusy, onConfirm, onClose }: PauseConfirmProps) {
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  const untold = useUntold()
  const { next, message, would_emit: count, would_skip: skipped } = forecast
  const number = numberOf(count)
  return (
    <Confirm
      title={t(`shell.${next}`)}
      text={t(`shell.${next}Tells`, { count, number })}
      action={t(`shell.${next}AndTell`, { number })}
      color="accent"
      isBusy={isBusy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {message === null ? null : (
        <Blockquote p="sm" className="foreign pause-message" dir="auto">
          {message}
        </Blockquote>
      )}
      {skipped > 0 ? (
        <Text c="dimmed" size="secondary">
          {t('shell.notTold', { count: skipped, number: numberOf(skipped), reasons: untold(forecast) })}
        </Text>
      ) : null}
    </Confirm>
  )
}
