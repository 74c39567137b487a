import { useAgent } from '../../../api/session.ts'
import type { BulkAction, BulkFilter } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'
import { keepBulkNotice } from '../../bulk/keep-bulk-notice.tsx'

/** The delay before an act begins; it can be undone until then. */
const UNDO_SECONDS = 10

export type BulkTarget = { ids: string[] } | { filter: BulkFilter }

/** Changes many conversations in the background. A notice shows the progress on whatever page is open then. */
export function useBulk(onStarted: () => void) {
  const { api, key } = useAgent()
  return useAction({
    run: ({ target, action }: { target: BulkTarget; action: BulkAction }) =>
      api.post('/inbox/bulk', { ...target, action, delay_seconds: UNDO_SECONDS }),
    onDone: ({ data }) => {
      keepBulkNotice(api, data, [key('conversation'), key('inbox')])
      onStarted()
    },
  })
}
