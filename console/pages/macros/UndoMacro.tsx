import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useAction } from '../../ui/use-action.ts'
import { keepBulkNotice } from '../bulk/keep-bulk-notice.tsx'

interface UndoMacroProps {
  run: unknown
  /** The bulk act that the run is part of, if it is of one. */
  bulkAct: unknown
}

/** The buttons beside a line of the timeline that undo a macro: here, or in all conversations of its bulk act. */
export function UndoMacro({ run, bulkAct }: UndoMacroProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { conversationId = '' } = useParams({ strict: false })
  const undoing = useAction({
    run: () => api.post(`/conversations/${conversationId}/macro-runs/${Number(run)}/undo`),
    refresh: [key('conversation', conversationId)],
    done: t('macros.undone'),
  })
  const undoingAll = useAction({
    run: () => api.post(`/inbox/bulk/${Number(bulkAct)}/undo`),
    onDone: ({ data }) => keepBulkNotice(api, data, [key('conversation'), key('inbox')]),
  })
  if (!useRight('respond')) return null
  return (
    <>
      <Button variant="subtle" size="compact-xs" loading={undoing.isPending} onClick={() => undoing.mutate()}>
        {t('common.undo')}
      </Button>
      {bulkAct === undefined ? null : (
        <Button
          variant="subtle"
          size="compact-xs"
          loading={undoingAll.isPending}
          onClick={() => undoingAll.mutate()}
        >
          {t('macros.undoAll')}
        </Button>
      )}
    </>
  )
}
