import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Operator } from '../../../api/types.ts'

/** The scope of a person, and with groups whether they see what is in none. */
export type Seen = Pick<Operator, 'scope' | 'unassigned'>

const choices = ['all', 'groupsAndNone', 'groups', 'own'] as const

interface ScopeChoiceProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  value: Seen
  onChange: (value: Seen) => void
}

/** Chooses which conversations a person sees. */
export function ScopeChoice({ value: { scope, unassigned }, onChange, ...props }: ScopeChoiceProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      {...props}
      data={choices.map((value) => ({ value, label: t(`people.scopes.${value}`) }))}
      value={scope === 'groups' && unassigned ? 'groupsAndNone' : scope}
      onChange={(event) => {
        const chosen = event.currentTarget.value as (typeof choices)[number]
        const isBoth = chosen === 'groupsAndNone'
        onChange({ scope: isBoth ? 'groups' : chosen, unassigned: isBoth })
      }}
    />
  )
}

/** Tells whether people with a right have a scope. Those who may manage the agent see everything. */
export function hasScope(right: Operator['right']): boolean {
  return right === 'read' || right === 'respond'
}
