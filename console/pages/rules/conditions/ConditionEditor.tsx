import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Condition } from '../../../../src/conditions/condition.ts'
import type { Evaluator } from '../../../api/types.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { Marked } from '../../../ui/Marked.tsx'
import { GroupEditor } from './GroupEditor.tsx'
import { asGroup, newComparison } from './group.ts'

interface ConditionEditorProps {
  evaluators: Evaluator[]
  value?: Condition | null
  error?: unknown
  onChange: (condition: Condition | null) => void
  'data-path'?: string
}

/** The condition of a rule: comparisons, joined by all, any or none, nested to any depth. */
export function ConditionEditor({ evaluators, value, error, onChange, ...rest }: ConditionEditorProps) {
  const { t } = useTranslation()
  const fields = evaluators.flatMap(({ id }) => [`evaluator.${id}.passed`, `evaluator.${id}.score`])
  return (
    <Marked gap={4} path={rest['data-path']} error={error}>
      <Text fw={500}>{t('conditions.title')}</Text>
      {value ? (
        <GroupEditor group={asGroup(value)} evaluatorFields={fields} onChange={onChange} />
      ) : (
        <Group gap="sm">
          <Text c="dimmed">{t('conditions.always')}</Text>
          <AddButton onClick={() => onChange({ all: [newComparison] })}>{t('conditions.add')}</AddButton>
        </Group>
      )}
    </Marked>
  )
}
