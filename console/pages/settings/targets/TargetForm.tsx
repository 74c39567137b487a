import { NumberInput, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { YEAR_MINUTES } from '../../../../src/lib/clock.ts'
import { useAgent } from '../../../api/session.ts'
import type { Target } from '../../../api/types.ts'
import { ConditionEditor } from '../../rules/conditions/ConditionEditor.tsx'
import { RecordForm } from '../RecordForm.tsx'

interface TargetFormProps {
  /** Null for a new one. */
  target: Target | null
  onClose: () => void
}

export const targetTimes = ['first_response', 'next_response', 'resolution'] as const

/** Minutes as their field has them: empty for none. */
type Minutes = number | string

function valuesOf(target: Target | null) {
  const minutes = (value: number | null | undefined): Minutes => value ?? ''
  return {
    name: target?.name ?? '',
    position: target?.position ?? 100,
    condition: target?.condition ?? null,
    first_response: minutes(target?.first_response),
    next_response: minutes(target?.next_response),
    resolution: minutes(target?.resolution),
    within_hours: target?.within_hours ?? true,
  }
}

function bodyOf({ first_response, next_response, resolution, ...values }: ReturnType<typeof valuesOf>) {
  const minutes = (value: Minutes) => (value === '' ? null : Number(value))
  return {
    ...values,
    first_response: minutes(first_response),
    next_response: minutes(next_response),
    resolution: minutes(resolution),
  }
}

/** Adds or changes a target. */
export function TargetForm({ target, onClose }: TargetFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  return (
    <RecordForm
      title={t(target ? 'settings.targets.edit' : 'settings.targets.add')}
      size="lg"
      record={target}
      valuesOf={valuesOf}
      bodyOf={bodyOf}
      send={async (body) => {
        const stored = target ? api.patch(`/targets/${target.id}`, body) : api.post('/targets', body)
        return (await stored).data
      }}
      refresh={[key('targets')]}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t('settings.targets.name')}
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {targetTimes.map((time) => (
            <NumberInput
              key={time}
              label={t(`settings.targets.times.${time}`)}
              description={time === 'first_response' ? t('settings.targets.minutes') : undefined}
              min={1}
              max={YEAR_MINUTES}
              allowDecimal={false}
              {...form.getInputProps(time)}
            />
          ))}
          <Switch
            label={t('settings.targets.withinHours')}
            {...form.getInputProps('within_hours', { type: 'checkbox' })}
          />
          <ConditionEditor evaluators={[]} {...form.getInputProps('condition')} />
          <NumberInput
            label={t('settings.targets.position')}
            description={t('settings.targets.positionHint')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps('position')}
          />
        </>
      )}
    </RecordForm>
  )
}
