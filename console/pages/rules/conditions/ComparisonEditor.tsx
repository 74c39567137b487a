import { ActionIcon, Autocomplete, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Comparison, ComparisonValue, Operator } from '../../../../src/conditions/condition.ts'
import { fields, fieldType, operatorsOf } from '../../../../src/conditions/fields.ts'
import { TrashIcon } from '../../../ui/icons.tsx'

interface ComparisonEditorProps {
  comparison: Comparison
  evaluatorFields: readonly string[]
  /** Called with null to remove the comparison. */
  onChange: (comparison: Comparison | null) => void
}

/** A field, an operator, and a value. Only choices that make sense for the field are offered. */
export function ComparisonEditor({ comparison, evaluatorFields, onChange }: ComparisonEditorProps) {
  const { t } = useTranslation()
  const { field, op, value } = comparison
  const type = fieldType(field)
  const operators = type === null ? [op] : operatorsOf[type]
  const [input, setInput] = useState('')
  // What is typed stays as it is, such as a comma after a word, until the value becomes another one.
  const typed = asText(comparisonOf(field, op, input).value) === asText(value) ? input : asText(value)
  const isList = op === 'in' || op === 'contains_any'

  function changeField(next: string) {
    const nextType = fieldType(next)
    const nextOp =
      nextType === null || operatorsOf[nextType].includes(op) ? op : (operatorsOf[nextType][0] ?? op)
    onChange(comparisonOf(next, nextOp, nextType === 'boolean' ? 'true' : typed))
  }
  return (
    <Group gap="xs" align="flex-end">
      <Autocomplete
        aria-label={t('conditions.field')}
        flex="2 1 180px"
        value={field}
        onChange={changeField}
        data={[...Object.keys(fields), 'tags.', ...evaluatorFields]}
        limit={40}
        error={type === null ? t('conditions.noField') : null}
      />
      <NativeSelect
        aria-label={t('conditions.operator')}
        flex="1 1 130px"
        value={op}
        onChange={(event) => onChange(comparisonOf(field, event.currentTarget.value as Operator, typed))}
        data={operators.map((value) => ({ value, label: t(`conditions.operators.${value}`) }))}
      />
      {op === 'exists' || type === 'boolean' ? (
        <NativeSelect
          aria-label={t('conditions.value')}
          flex="1 1 90px"
          value={String(value ?? true)}
          onChange={(event) => onChange({ field, op, value: event.currentTarget.value === 'true' })}
          data={[
            { value: 'true', label: t('conditions.yes') },
            { value: 'false', label: t('conditions.no') },
          ]}
        />
      ) : (
        <TextInput
          aria-label={t('conditions.value')}
          placeholder={isList ? t('conditions.list') : ''}
          flex="2 1 160px"
          value={typed}
          onChange={(event) => {
            setInput(event.currentTarget.value)
            onChange(comparisonOf(field, op, event.currentTarget.value))
          }}
        />
      )}
      <ActionIcon
        variant="default"
        size={32}
        aria-label={t('conditions.remove')}
        onClick={() => onChange(null)}
      >
        <TrashIcon />
      </ActionIcon>
    </Group>
  )
}

function asText(value: ComparisonValue | undefined): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

/** Turns a typed text into the value that the field and the operator take. */
function comparisonOf(field: string, op: Operator, typed: string): Comparison {
  const type = fieldType(field)
  if (op === 'exists' || type === 'boolean') return { field, op, value: typed !== 'false' }
  const scalarOf = (text: string) => {
    const isNumber =
      type === 'number' || ((type === 'any' || type === 'weekday') && /^-?\d+(\.\d+)?$/.test(text))
    return isNumber && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  }
  const isList = op === 'in' || op === 'contains_any'
  const words = typed
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  return { field, op, value: isList ? words.map(scalarOf) : scalarOf(typed.trim() === '' ? '' : typed) }
}
