import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Condition } from '../../../src/conditions/condition.ts'
import { ACTIVITY_MOST } from '../../../src/lib/activity.ts'
import type { Automation, Cta, Evaluator, Guardrail } from '../../api/types.ts'
import { useFormattedNumber } from '../../ui/formatted-number.ts'
import { AT, WithTime } from '../../ui/WithTime.tsx'
import { asGroup, isComparison } from './conditions/group.ts'
import { valueText } from './conditions/value-text.ts'

type AnyRule = Guardrail | Cta | Automation | Evaluator

interface RuleSentenceProps {
  rule: AnyRule
  /** The names of the agent's evaluators. */
  names: ReadonlyMap<number, string>
}

/** Describes in a sentence what a rule does. */
export function RuleSentence({ rule, names }: RuleSentenceProps) {
  const { t } = useTranslation()
  return sentenceOf(rule, (id) => names.get(id) ?? String(id), t)
}

/** Shows how often a rule acted in 30 days, and when it last did. */
export function RuleActivity({ rule: { activity } }: { rule: Exclude<AnyRule, Evaluator> }) {
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  if (!activity?.last_fired_at) return t('rules.noLog')
  const { fired, last_fired_at } = activity
  if (fired === 0) return <WithTime text={t('rules.notLately', { at: AT })} at={last_fired_at} />
  const times = numberOf(fired) + (fired === ACTIVITY_MOST ? '+' : '')
  return <WithTime text={t('rules.fired', { count: fired, times, at: AT })} at={last_fired_at} />
}

function sentenceOf(rule: AnyRule, nameOf: (evaluatorId: number) => string, t: TFunction): string {
  if ('kind' in rule) return t(`rules.evaluatorLeads.${rule.kind}`)
  if ('evaluator_id' in rule && 'on' in rule)
    return t('rules.sentences.guardrail', {
      evaluator: nameOf(rule.evaluator_id),
      text: t(`rules.texts.${rule.on}`),
      action: t(`rules.does.${rule.action}`),
    })
  const what = 'content' in rule ? rule.content : actionsOf(rule, t)
  const parts = [
    ...(rule.condition ? [wordsOf(rule.condition, t)] : []),
    ...('evaluator_id' in rule && rule.evaluator_id !== null
      ? [t('rules.sentences.finds', { evaluator: nameOf(rule.evaluator_id) })]
      : []),
  ]
  if ('actions' in rule && rule.on !== 'response') parts.unshift(momentOf(rule, t))
  if (parts.length === 0) return t('rules.sentences.always', { what })
  return t('rules.sentences.when', { condition: parts.join(` ${t('rules.sentences.and')} `), what })
}

/** Says what at the desk starts an automation. */
function momentOf({ on, minutes }: Automation, t: TFunction): string {
  return t(`rules.moments.${on}`, { count: minutes ?? 0 })
}

function actionsOf({ actions }: Automation, t: TFunction): string {
  return actions.map(({ type }) => t(`rules.actionTypes.${type}`)).join(' · ')
}

/** Returns a condition in words. */
function wordsOf(condition: Condition, t: TFunction): string {
  if (isComparison(condition)) {
    const { field, op, value } = condition
    return [field, t(`conditions.operators.${op}`), ...(value === undefined ? [] : [valueText(value)])].join(
      ' ',
    )
  }
  const { join, parts } = asGroup(condition)
  const words = parts.map((part) =>
    isComparison(part) || parts.length === 1 ? wordsOf(part, t) : `(${wordsOf(part, t)})`,
  )
  const joined = words.join(` ${t(join === 'all' ? 'rules.sentences.and' : 'rules.sentences.or')} `)
  return join === 'none' ? t('rules.sentences.not', { condition: joined }) : joined
}
