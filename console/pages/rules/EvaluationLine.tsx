import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Trace } from '../../api/types.ts'

/** What an evaluator said of a text. */
export function EvaluationLine({ evaluation }: { evaluation: Trace['evaluations'][number] }) {
  const { t } = useTranslation()
  const { evaluator, score, passed, content } = evaluation
  const outcome = passed === null ? t('inbox.noScore') : t(passed ? 'rules.passes' : 'rules.passesNot')
  return (
    <Text fz={13} lh="18px" c="dimmed" className="foreign">
      {evaluator.name}: {outcome}
      {score === null ? '' : ` (${score})`}
      {content ? ` – ${content}` : ''}
    </Text>
  )
}
