import { Button, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useActions } from '../../ui/page-actions.ts'

/** The time for which it is shown; the timeline of a conversation offers to undo macros for 30 days. */
const SHOWN_MS = 10_000

interface UndoOfferProps {
  message: string
  undoing: { isPending: boolean; mutate: () => void }
  onClose: () => void
}

/** Says what a macro has done, and offers to undo it. */
export function UndoOffer({ message, undoing, onClose }: UndoOfferProps) {
  const { t } = useTranslation()
  const { isPending } = undoing
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stays while it is being undone
  useEffect(() => {
    if (isPending) return
    const closing = setTimeout(onClose, SHOWN_MS)
    return () => clearTimeout(closing)
  }, [isPending])
  const undo = { id: 'undo', label: t('common.undo'), key: 'z', run: () => undoing.mutate() }
  // A conversation that is opened meanwhile has the same key for its details.
  useActions([undo], true)
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <Text role="status">{message}</Text>
      <Button flex="none" variant="default" loading={isPending} onClick={undo.run}>
        {undo.label}
      </Button>
    </Group>
  )
}
