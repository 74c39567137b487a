import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { InboxItem } from '../../../api/types.ts'
import { exactTime, relativeTime } from '../../../ui/Time.tsx'

const colors = {
  running: 'var(--parley-amber)',
  stopped: 'dimmed',
  met: 'var(--parley-green)',
  missed: 'var(--parley-red)',
} as const

interface DueTextProps {
  due: NonNullable<InboxItem['due']>
  /** True in a list: only in how much time it is due, or since when it is missed. */
  isShort?: boolean
}

/** Says in words what is due next in a conversation, and until when, or what became of it. */
export function DueText({ due: { kind, at, state }, isShort = false }: DueTextProps) {
  const { t, i18n } = useTranslation()
  const time = at === null ? '' : (isShort ? relativeTime : exactTime)(at, i18n.language)
  return (
    <Text component="span" inherit c={colors[state]}>
      {isShort ? t(`due.short.${state}`, { time }) : `${t(`due.${kind}`)}: ${t(`due.${state}`, { time })}`}
    </Text>
  )
}
