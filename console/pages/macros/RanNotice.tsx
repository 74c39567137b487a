import { Button, Group, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Api } from '../../api/client.ts'
import type { MacroRun } from '../../api/types.ts'
import { useActions } from '../../shell/page-actions.ts'
import { useAction } from '../../ui/use-action.ts'

/** The time for which it is shown; the timeline of the conversation offers to undo the run for 30 days. */
const SHOWN_MS = 10_000

interface RanNoticeProps {
  api: Api
  run: MacroRun
  /** The queries that are read again when the run is undone. */
  refresh: QueryKey[]
  onClose: () => void
}

/** The notice of a macro that was run in a conversation. It offers to undo what can be undone. */
export function RanNotice({ api, run, refresh, onClose }: RanNoticeProps) {
  const { t } = useTranslation()
  const undoing = useAction({
    run: () => api.post(`/conversations/${run.conversation_id}/macro-runs/${run.id}/undo`),
    refresh,
    done: t('macros.undone'),
    onDone: onClose,
  })
  const { isPending } = undoing
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stays while it is being undone
  useEffect(() => {
    if (isPending) return
    const closing = setTimeout(onClose, SHOWN_MS)
    return () => clearTimeout(closing)
  }, [isPending])
  const undo = { id: 'undo', label: t('common.undo'), key: 'z', run: () => undoing.mutate() }
  useActions([undo], true)
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <Text role="status">{t('macros.ran', { name: run.macro.name })}</Text>
      <Button variant="default" loading={isPending} onClick={undo.run}>
        {undo.label}
      </Button>
    </Group>
  )
}
