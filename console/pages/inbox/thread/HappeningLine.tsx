import { Text } from '@mantine/core'
import i18next, { type TFunction } from 'i18next'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Outcome } from '../../../../src/transcripts/conversations/outcomes.ts'
import type { TimelineLine } from '../../../api/types.ts'
import { withTexts } from '../../../texts/index.ts'
import { joined } from '../../../texts/isolated.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { isPriority } from '../../../ui/priorities.ts'
import { exactTime, Time } from '../../../ui/Time.tsx'

const UndoMacro = lazyPart(
  withTexts(() => import('../../macros/UndoMacro.tsx')),
  'UndoMacro',
)

export type Happening = Exclude<TimelineLine, { type: 'message' | 'note' }>

/** A change without a message: who or what did it, and why. */
export function HappeningLine({ line }: { line: Happening }) {
  const { t } = useTranslation()
  const { type } = line
  const who = whoOf(line, t)
  const why = whyOf(line, t)
  return (
    <Text ta="center" c="dimmed" size="xs" mb="md" className="foreign">
      {t(`inbox.happenings.${type}`, { who })}
      {why === '' ? '' : ` (${why})`} · <Time at={line.at} />
      {type === 'macro' && line.details.can_undo ? (
        <Suspense>
          <UndoMacro run={line.details.run} bulkAct={line.details.bulk_act} />
        </Suspense>
      ) : null}
    </Text>
  )
}

/** Returns who or what made a change. The name of a rule alone would read like a sentence of its own. */
export function whoOf({ by: { kind, name } }: Happening, t: TFunction): string {
  if (name === null) return t(`inbox.actors.${kind}`)
  return kind === 'rule' ? t('inbox.namedRule', { name }) : name
}

/** Returns the reason for a change, or its details, in the reader's language; empty if there is nothing to add. */
export function whyOf({ type, details }: Happening, t: TFunction): string {
  const { macro, reason, operator, group, set, tags, score, action, code, priority, outcome, until } = details
  const { target, due_at } = details
  const said = [
    isNamed(macro) ? macro.name : null,
    isNamed(target) ? target.name : null,
    isNamed(operator) ? t('inbox.givenTo', { name: operator.name }) : null,
    operator === null ? t('inbox.views.unassigned') : null,
    isNamed(group) ? t('inbox.givenTo', { name: group.name }) : null,
    group === null ? t('inbox.noGroup') : null,
    typeof reason === 'string' ? worded(reasonsOf(type, code, reason), reason, t) : null,
    typeof code === 'string' && reason === undefined ? worded([`inbox.codes.${code}`], code, t) : null,
    isAction(action) ? t(`inbox.actions.${action}`) : null,
    ...[set, tags].map((names) => (Array.isArray(names) ? joined(names, ', ') : null)),
    typeof until === 'string' ? t('inbox.until', { time: exactTime(until, i18next.language) }) : null,
    type === 'target_moved' && typeof due_at === 'string'
      ? t('inbox.until', { time: exactTime(due_at, i18next.language) })
      : null,
    typeof outcome === 'string' ? t(`inbox.outcomes.${outcome as Outcome}`) : null,
    isPriority(priority) ? t(`inbox.priorities.${priority}`) : null,
    typeof score === 'number' ? `${score}/5` : null,
  ]
  return joined(said)
}

/** Returns the keys of texts that may word the reason for a change of a type. */
function reasonsOf(type: Happening['type'], code: unknown, reason: string): readonly string[] {
  if (type === 'target_moved') return [`inbox.reasonsOfMove.${reason}`]
  if (type === 'unsnoozed') return [`inbox.reasonsOfReturn.${reason}`]
  if (type === 'rule_failed') return [`inbox.reasonsOfRule.${reason}`]
  if (code === 'model_failed' || code === 'masking_failed') return [`inbox.reasonsOfModel.${reason}`]
  return [`inbox.reasons.${reason}`, `inbox.reasonsNot.${reason}`]
}

function isNamed(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

/** Returns the text of the first key that exists, or else the code itself. */
function worded(names: readonly string[], code: string, t: TFunction): string {
  const key = names.find((name) => i18next.exists(name))
  return key === undefined ? code : t(key as 'inbox.reasons.asked')
}

function isAction(value: unknown): value is 'block' | 'replace' | 'flag' {
  return value === 'block' || value === 'replace' || value === 'flag'
}
