import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Condition, Operator } from '../../../../src/conditions/condition.ts'
import { Mark } from '../../../ui/Mark.tsx'
import { asGroup, isComparison } from './group.ts'
import { valueText } from './value-text.ts'

/** A condition in which each part has whether it held. */
type Held = { held: boolean | null } & Record<string, unknown>

/** A condition after a trial: each comparison shows whether it held. */
export function HeldCondition({ condition }: { condition: Held }) {
  const { t } = useTranslation()
  const part = condition as Held & Condition
  if (isComparison(part))
    return <HeldLine field={part.field} op={part.op} value={part.value} held={condition.held} />
  const { join, parts } = asGroup(part)
  return (
    <Stack gap={4} pl="sm" style={{ borderInlineStart: '2px solid var(--mantine-color-default-border)' }}>
      <Group gap="xs">
        <Text size="secondary" c="dimmed">
          {t(`conditions.joins.${join}`)}
        </Text>
        <HeldMark held={condition.held} />
      </Group>
      {parts.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        <HeldCondition key={index} condition={one as Held & Condition} />
      ))}
    </Stack>
  )
}

interface HeldLineProps {
  field: string
  op: Operator
  value?: unknown
  held: boolean | null
}

/** A comparison, and whether it held. */
export function HeldLine({ field, op, value, held }: HeldLineProps) {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      <Text size="secondary" className="foreign">
        {field} {t(`conditions.operators.${op}`)} {value === undefined ? '' : valueText(value)}
      </Text>
      <HeldMark held={held} />
    </Group>
  )
}

function HeldMark({ held }: { held: boolean | null }) {
  const { t } = useTranslation()
  return (
    <Mark tone={held ? 'green' : 'grey'}>
      {held === null ? t('conditions.notAsked') : t(`conditions.held.${held}`)}
    </Mark>
  )
}
