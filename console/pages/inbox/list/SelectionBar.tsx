import { Button, CloseButton, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { InboxMatching } from '../../../api/types.ts'
import { useFormattedNumber } from '../../../ui/formatted-number.ts'
import type { Asked } from './RowActions.tsx'

interface SelectionBarProps {
  /** The numbers of selected conversations; undefined while matching ones are being counted. */
  matching: InboxMatching | undefined
  /** True when all matching conversations are selected, however many there are. */
  isAll: boolean
  /** Selects all that match; absent unless more match than are selected. */
  onAll?: (() => void) | undefined
  isBusy: boolean
  /** Called with the dialog of an act that needs one. */
  onAsk: (what: Asked) => void
  onEnd: () => void
  onReopen: () => void
  onClear: () => void
}

/** The acts on the selected conversations. */
export function SelectionBar(props: SelectionBarProps) {
  const { matching, isAll, onAll, isBusy, onAsk, onEnd, onReopen, onClear } = props
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  const { open = 0, ended = 0, total_capped } = matching ?? {}
  const counted = (count: number) => `${numberOf(count)}${total_capped ? '+' : ''}`
  const all = open + ended
  const actions = [
    { label: t('inbox.assign'), act: () => onAsk('assign'), isThere: true },
    { label: t('inbox.tag'), act: () => onAsk('tag'), isThere: true },
    { label: t('inbox.priority'), act: () => onAsk('priority'), isThere: true },
    { label: t('inbox.snooze'), act: () => onAsk('snooze'), isThere: open > 0 },
    { label: t('inbox.macro'), act: () => onAsk('macro'), isThere: true },
    { label: t('bulk.endMany', { number: counted(open) }), act: onEnd, isThere: open > 0 },
    { label: t('bulk.reopenMany', { number: counted(ended) }), act: onReopen, isThere: ended > 0 },
  ].filter(({ isThere }) => isThere)
  const said = isAll ? t('bulk.allSelected', { number: counted(all) }) : t('bulk.selected', { count: all })
  return (
    <Stack gap={4} px="sm" py="xs" className="inbox-selection" role="group" aria-label={t('inbox.selection')}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text fw={600} className="numbers" role="status">
          {matching ? said : t('bulk.counting')}
        </Text>
        <CloseButton aria-label={t('bulk.clearSelection')} onClick={onClear} />
      </Group>
      {onAll ? (
        <Button variant="subtle" size="compact-sm" w="fit-content" px={4} ml={-4} onClick={onAll}>
          {t('bulk.selectAll')}
        </Button>
      ) : null}
      <Group gap={4}>
        {actions.map(({ label, act }) => (
          <Button
            key={label}
            variant="default"
            size="compact-sm"
            className="numbers"
            disabled={!matching || isBusy}
            onClick={act}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
