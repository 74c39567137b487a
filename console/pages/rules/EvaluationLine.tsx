import { Text } from '@mantine/core'
import type { Evaluation } from '../../api/types.ts'
import { useFinding } from './use-finding.ts'

interface EvaluationLineProps {
  evaluation: Pick<Evaluation, 'passed' | 'score' | 'content'> & { evaluator: { name: string } }
}

/** The finding of an evaluator in a text. */
export function EvaluationLine({ evaluation }: EvaluationLineProps) {
  const finding = useFinding()
  return (
    <Text size="secondary" c="dimmed" className="foreign">
      <bdi>{evaluation.evaluator.name}</bdi>: {finding(evaluation)}
    </Text>
  )
}
