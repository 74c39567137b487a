import { MultiSelect, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useColleagues } from '../../../api/colleagues.ts'
import { useWho } from '../../../api/session.ts'
import type { TeamGroup } from '../../../api/types.ts'
import { namedIds } from '../../../ui/named-ids.ts'
import { HoursFields } from '../hours/HoursFields.tsx'
import { RecordForm } from '../RecordForm.tsx'

interface GroupFormProps {
  /** Null for a new one. */
  group: TeamGroup | null
  onClose: () => void
}

function valuesOf(group: TeamGroup | null) {
  const {
    name = '',
    operators = [],
    agents = [],
    assignment = 'off',
    at_once = null,
    hours = null,
  } = group ?? {}
  return {
    name,
    operators: operators.map(String),
    agents: agents.map(String),
    assignment: assignment as TeamGroup['assignment'],
    at_once: at_once ?? ('' as number | string),
    hours,
  }
}

function bodyOf({ operators, agents, at_once, ...values }: ReturnType<typeof valuesOf>) {
  return {
    ...values,
    operators: operators.map(Number),
    agents: agents.map(Number),
    at_once: at_once === '' ? null : Number(at_once),
  }
}

/** Adds or changes a group. */
export function GroupForm({ group, onClose }: GroupFormProps) {
  const { t } = useTranslation()
  const { agents } = useWho()
  const colleagues = useColleagues()
  return (
    <RecordForm
      title={t(group ? 'settings.groups.edit' : 'settings.groups.add')}
      size="lg"
      record={group}
      valuesOf={valuesOf}
      bodyOf={bodyOf}
      send={async (body) => {
        const stored = group ? teamApi.patch(`/groups/${group.id}`, body) : teamApi.post('/groups', body)
        return (await stored).data
      }}
      refresh={[['groups']]}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t('settings.groups.name')}
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <MultiSelect
            label={t('settings.groups.members')}
            data={namedIds(colleagues, form.values.operators)}
            searchable
            {...form.getInputProps('operators')}
          />
          <MultiSelect
            label={t('settings.groups.agents')}
            description={t('settings.groups.agentsHint')}
            data={namedIds(agents, form.values.agents)}
            {...form.getInputProps('agents')}
          />
          <NativeSelect
            label={t('settings.groups.assignment')}
            description={t('settings.groups.assignmentHint')}
            data={(['off', 'round_robin', 'least_loaded'] as const).map((value) => ({
              value,
              label: t(`settings.groups.assignments.${value}`),
            }))}
            {...form.getInputProps('assignment')}
          />
          {form.values.assignment === 'off' ? null : (
            <NumberInput
              label={t('settings.groups.atOnce')}
              description={t('settings.groups.atOnceHint')}
              min={1}
              max={1000}
              allowDecimal={false}
              {...form.getInputProps('at_once')}
            />
          )}
          <HoursFields form={form} />
          {form.values.hours ? null : (
            <Text c="dimmed" size="secondary">
              {t('settings.groups.hoursOfAgent')}
            </Text>
          )}
        </>
      )}
    </RecordForm>
  )
}
