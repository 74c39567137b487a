import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MacroStep } from '../../api/types.ts'

interface ForeseenProps {
  step: MacroStep
  /** True where no action can be undone, so that saying it of one would mislead. */
  isForGood?: boolean
}

/** The outcome that an action would have, and whether it can be undone. */
export function Foreseen({
  step: { outcome, reason, unfilled, can_undo },
  isForGood = false,
}: ForeseenProps) {
  const { t } = useTranslation()
  if (outcome !== 'pending' && outcome !== 'unchanged' && outcome !== 'failed') return null
  const said = [
    t(`macros.outcomes.${outcome}`),
    ...(reason === null ? [] : [t(`macros.reasons.${reason}`, { names: namesOf(unfilled) })]),
    ...(outcome === 'pending' && !can_undo && !isForGood ? [t('macros.cannotUndo')] : []),
  ]
  return (
    <Text component="span" c={outcome === 'failed' ? 'red' : 'dimmed'} size="secondary">
      {' '}
      {said.join(', ')}
    </Text>
  )
}

function namesOf(unfilled: readonly string[]): string {
  return unfilled.map((name) => `{${name}}`).join(', ')
}
