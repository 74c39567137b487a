import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const MINUTE_MS = 60_000

/** Tells whether the platform no longer delivers answers. */
export function useIsClosed(until: string | null): boolean {
  return useLeftMs(until) <= 0
}

/** The time for which the platform still delivers answers, or what it delivers after that. */
export function ReplyWindow({ until, hasTemplates }: { until: string | null; hasTemplates: boolean }) {
  const { t } = useTranslation()
  const leftMs = useLeftMs(until)
  if (until === null) return null
  if (leftMs <= 0)
    return (
      <Text role="status" size="secondary" c="var(--parley-amber)">
        {t(hasTemplates ? 'inbox.windowOpensByTemplate' : 'inbox.windowClosed')}
      </Text>
    )
  const minutes = Math.ceil(leftMs / MINUTE_MS)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  const time = days > 0 ? { days, hours } : { hours, minutes: minutes % 60 }
  return (
    <Text size="xs" c={leftMs < 60 * MINUTE_MS ? 'var(--parley-amber)' : 'dimmed'}>
      {t(days > 0 ? 'inbox.windowDays' : 'inbox.windowHours', time)}
    </Text>
  )
}

/** Returns the milliseconds left; infinity without a limit. */
function useLeftMs(until: string | null): number {
  const [nowMs, setNowMs] = useState(Date.now)
  const leftMs = until === null ? Number.POSITIVE_INFINITY : Date.parse(until) - nowMs
  useEffect(() => {
    if (until === null) return
    const tick = () => setNowMs(Date.now())
    tick()
    // In the last minute a timer fires just after the end itself.
    const left = Date.parse(until) - Date.now()
    const timer =
      left > 0 && left < MINUTE_MS ? setTimeout(tick, left + 50) : setInterval(tick, MINUTE_MS / 2)
    return () => clearInterval(timer)
  }, [until])
  return leftMs
}
