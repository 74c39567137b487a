import { Button, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChannels } from '../../api/channels.ts'
import { useEverybody } from '../../api/colleagues.ts'
import { useGroups } from '../../api/groups.ts'
import { readShownFigure } from '../../api/shown-figure.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import { useDays } from './use-days.ts'
import { useValueName } from './use-value-name.ts'

interface FigureChipProps {
  /** The figure as the address names it. */
  figure: string
  onRemove: () => void
}

/** Names the figure whose conversations the inbox shows; a press removes this filter. */
export function FigureChip({ figure, onRemove }: FigureChipProps) {
  const { t } = useTranslation()
  const daysOf = useDays()
  const valueName = useValueName()
  const named = {
    operator: useEverybody(),
    group: useGroups().data ?? [],
    channel: useChannels().data ?? [],
  }
  const read = readShownFigure(figure)
  if (!read) return null
  const { by, value } = read
  const nameOf = () => {
    const all = by === 'operator' || by === 'group' || by === 'channel' ? named[by] : []
    const found = all.find(({ id }) => String(id) === value)
    return found && ('label' in found ? found.label : found.name)
  }
  const parts = [
    t(`support.figures.${read.figure}`),
    ...(by === null ? [] : [valueName(by, value, nameOf() ?? null)]),
    daysOf(read),
  ]
  const text = parts.join(' · ')
  return (
    <Tooltip label={t('support.chipZone', { text, zone: read.timeZone })} multiline maw={320}>
      <Button
        variant="light"
        size="compact-sm"
        mx="sm"
        mb="xs"
        style={{ alignSelf: 'flex-start' }}
        maw="calc(100% - 24px)"
        rightSection={<CloseIcon size={14} />}
        styles={{ label: { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' } }}
        aria-label={t('support.removeChip', { text })}
        onClick={onRemove}
      >
        {text}
      </Button>
    </Tooltip>
  )
}
