import type { QueryKey } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Api } from '../../api/client.ts'
import type { MacroRun } from '../../api/types.ts'
import { useAction } from '../../ui/use-action.ts'
import { UndoOffer } from '../bulk/UndoOffer.tsx'

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
  return <UndoOffer message={t('macros.ran', { name: run.macro.name })} undoing={undoing} onClose={onClose} />
}
