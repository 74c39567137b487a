import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Evaluator } from '../../../api/types.ts'

interface EvaluatorChoiceProps {
  label: string
  evaluators: Evaluator[]
  value?: number | null
  error?: unknown
  onChange: (id: number | null) => void
}

/** The choice of an evaluator. */
export function EvaluatorChoice({
  label,
  evaluators,
  value,
  error,
  onChange,
  ...rest
}: EvaluatorChoiceProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      {...rest}
      label={label}
      description={evaluators.length === 0 ? t('rules.noEvaluators') : null}
      value={value ? String(value) : ''}
      error={error as string}
      onChange={(event) => onChange(event.currentTarget.value ? Number(event.currentTarget.value) : null)}
      data={[
        { value: '', label: t('rules.noEvaluator') },
        ...evaluators.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}
