import { Group, NativeSelect, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Condition } from '../../../../src/conditions/condition.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { ComparisonEditor } from './ComparisonEditor.tsx'
import { asCondition, asGroup, type ConditionGroup, isComparison, type Join, newComparison } from './group.ts'

interface GroupEditorProps {
  group: ConditionGroup
  evaluatorFields: readonly string[]
  /** Called with null when nothing is left of the group. */
  onChange: (condition: Condition | null) => void
}

export function GroupEditor({ group, evaluatorFields, onChange }: GroupEditorProps) {
  const { t } = useTranslation()
  const { join, parts } = group
  const change = (changed: Partial<ConditionGroup>) => onChange(asCondition({ ...group, ...changed }))
  const changePart = (index: number, part: Condition | null) =>
    change({ parts: parts.flatMap((old, at) => (at === index ? (part ?? []) : old)) })
  return (
    <Stack
      gap="xs"
      pl="sm"
      style={{ borderInlineStart: '2px solid var(--mantine-color-default-border)' }}
      role="group"
      aria-label={t(`conditions.joins.${join}`)}
    >
      <NativeSelect
        aria-label={t('conditions.join')}
        w="fit-content"
        value={join}
        onChange={(event) => change({ join: event.currentTarget.value as Join })}
        data={(['all', 'any', 'none'] as const).map((value) => ({
          value,
          label: t(`conditions.joins.${value}`),
        }))}
      />
      {parts.map((part, index) =>
        isComparison(part) ? (
          <ComparisonEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
            key={index}
            comparison={part}
            evaluatorFields={evaluatorFields}
            onChange={(changed) => changePart(index, changed)}
          />
        ) : (
          <GroupEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
            key={index}
            group={asGroup(part)}
            evaluatorFields={evaluatorFields}
            onChange={(changed) => changePart(index, changed)}
          />
        ),
      )}
      <Group gap="xs">
        <AddButton onClick={() => change({ parts: [...parts, newComparison] })}>
          {t('conditions.add')}
        </AddButton>
        <AddButton onClick={() => change({ parts: [...parts, { any: [newComparison] }] })}>
          {t('conditions.addGroup')}
        </AddButton>
      </Group>
    </Stack>
  )
}
