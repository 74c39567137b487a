import { Button, CloseButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BulkAct } from '../../../api/types.ts'

interface SelectionBarProps {
  /** How many are selected; null: all that match, however many there are. */
  count: number | null
  /** Present while more match than are selected. */
  onAll?: (() => void) | undefined
  progress: BulkAct | null
  isBusy: boolean
  onAssign: () => void
  onTag: () => void
  onEnd: () => void
  onClear: () => void
}

/** What can be done to the selected conversations, and how far it has come. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, onAll, progress, isBusy, onAssign, onTag, onEnd, onClear } = props
  const { t } = useTranslation()
  const actions = [
    { label: t('inbox.assign'), act: onAssign },
    { label: t('inbox.tag'), act: onTag },
    { label: t('inbox.end'), act: onEnd },
  ]
  return (
    <Stack gap={4} px="sm" py="xs" className="inbox-selection" role="group" aria-label={t('inbox.selection')}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text fw={600} className="numbers" role="status">
          {count === null ? t('inbox.allSelected') : t('inbox.selected', { count })}
        </Text>
        <CloseButton aria-label={t('inbox.clearSelection')} onClick={onClear} disabled={isBusy} />
      </Group>
      {onAll && !isBusy ? (
        <Button variant="subtle" size="compact-sm" w="fit-content" px={4} ml={-4} onClick={onAll}>
          {t('inbox.selectAll')}
        </Button>
      ) : null}
      {isBusy ? (
        <>
          <Text fz={13} className="numbers" role="status">
            {progress && progress.state === 'working'
              ? t('inbox.bulkProgress', { done: progress.done, matched: progress.matched })
              : t('inbox.bulkGathering')}
          </Text>
          <Progress
            aria-label={t('inbox.bulkGathering')}
            value={progress && progress.matched > 0 ? (100 * progress.done) / progress.matched : 0}
          />
        </>
      ) : (
        <Group gap={4}>
          {actions.map(({ label, act }) => (
            <Button key={label} variant="default" size="compact-sm" onClick={act}>
              {label}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  )
}
