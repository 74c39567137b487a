import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const MINUTE_MS = 60_000
const steps: [limitMs: number, unit: Intl.RelativeTimeFormatUnit, unitMs: number][] = [
  [60 * MINUTE_MS, 'minute', MINUTE_MS],
  [24 * 60 * MINUTE_MS, 'hour', 60 * MINUTE_MS],
  [7 * 24 * 60 * MINUTE_MS, 'day', 24 * 60 * MINUTE_MS],
]

/** How long ago it was; the exact time on hover and on keyboard focus. */
export function Time({ at }: { at: string }) {
  const { i18n } = useTranslation()
  useMinute()
  const exact = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full', timeStyle: 'medium' }).format(
    new Date(at),
  )
  return (
    <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable without a mouse */}
      <time dateTime={at} tabIndex={0}>
        {relativeTime(at, i18n.language)}
      </time>
    </Tooltip>
  )
}

/** A time in words such as "5 minutes ago"; older ones as a date. */
export function relativeTime(at: string, language: string, nowMs = Date.now()): string {
  const passedMs = nowMs - Date.parse(at)
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  if (Math.abs(passedMs) < MINUTE_MS) return words.format(0, 'second')
  for (const [limitMs, unit, unitMs] of steps)
    if (Math.abs(passedMs) < limitMs) return words.format(-Math.round(passedMs / unitMs), unit)
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(at))
}

/** The same as short as can be, such as "5m". */
export function shortAge(at: string, language: string, nowMs = Date.now()): string {
  const passedMs = Math.max(0, nowMs - Date.parse(at))
  const [, unit, unitMs] = steps.find(([limitMs]) => passedMs < limitMs) ?? ['', 'day', 24 * 60 * MINUTE_MS]
  const style = { style: 'unit', unit, unitDisplay: 'narrow' } as const
  return new Intl.NumberFormat(language, style).format(Math.floor(passedMs / unitMs))
}

/** Renders again every minute, so that no relative time stands still. */
export function useMinute(): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return ticks
}
