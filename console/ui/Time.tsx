import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const MINUTE_MS = 60_000
const steps: [limitMs: number, unit: 'minute' | 'hour' | 'day', unitMs: number][] = [
  [60 * MINUTE_MS, 'minute', MINUTE_MS],
  [24 * 60 * MINUTE_MS, 'hour', 60 * MINUTE_MS],
  [7 * 24 * 60 * MINUTE_MS, 'day', 24 * 60 * MINUTE_MS],
]

/** Keeps one formatter for each language, because making one takes far longer than formatting. */
function ofLanguage<Formatter>(make: (language: string) => Formatter): (language: string) => Formatter {
  const made = new Map<string, Formatter>()
  return (language) => {
    const formatter = made.get(language) ?? make(language)
    made.set(language, formatter)
    return formatter
  }
}

const longTime = ofLanguage(
  (name) => new Intl.DateTimeFormat(name, { dateStyle: 'full', timeStyle: 'medium' }),
)
const shortTime = ofLanguage(
  (name) => new Intl.DateTimeFormat(name, { dateStyle: 'medium', timeStyle: 'short' }),
)
const date = ofLanguage((name) => new Intl.DateTimeFormat(name, { dateStyle: 'medium' }))
const timeAgo = ofLanguage((name) => new Intl.RelativeTimeFormat(name, { numeric: 'auto', style: 'short' }))

/** The time since an event; the exact time shows on hover and on keyboard focus. */
export function Time({ at }: { at: string }) {
  const { i18n } = useTranslation()
  useMinute()
  const exact = longTime(i18n.language).format(new Date(at))
  return (
    <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable without a mouse */}
      <time dateTime={at} tabIndex={0}>
        {relativeTime(at, i18n.language)}
      </time>
    </Tooltip>
  )
}

/** Returns a time in words such as "5 minutes ago"; older ones as a date. */
export function relativeTime(at: string, language: string, nowMs = Date.now()): string {
  const passedMs = nowMs - Date.parse(at)
  const words = timeAgo(language)
  if (Math.abs(passedMs) < MINUTE_MS) return words.format(0, 'second')
  for (const [limitMs, unit, unitMs] of steps)
    if (Math.abs(passedMs) < limitMs) return words.format(-Math.round(passedMs / unitMs), unit)
  return date(language).format(new Date(at))
}

/** Returns the day and the time of day. */
export function exactTime(at: string, language: string): string {
  return shortTime(language).format(new Date(at))
}

/** Renders again every minute, so that relative times stay correct. */
export function useMinute(): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return ticks
}
