import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { InboxItem } from '../../../api/types.ts'
import { exactTime } from '../../../ui/Time.tsx'

const colors = {
  running: 'var(--parley-amber)',
  stopped: 'dimmed',
  met: 'var(--parley-green)',
  missed: 'var(--parley-red)',
} as const

/** Says in words what is due next in a conversation, and until when, or what became of it. */
export function DueText({ due: { kind, at, state } }: { due: NonNullable<InboxItem['due']> }) {
  const { t, i18n } = useTranslation()
  const time = at === null ? '' : exactTime(at, i18n.language)
  return (
    <Text component="span" inherit c={colors[state]}>
      {t(`due.${kind}`)}: {t(`due.${state}`, { time })}
    </Text>
  )
}
