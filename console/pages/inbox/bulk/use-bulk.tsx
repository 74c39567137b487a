import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { BulkAction, BulkFilter } from '../../../api/types.ts'
import { withTexts } from '../../../texts/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { keepNotice } from '../../../ui/notify.ts'
import { useAction } from '../../../ui/use-action.ts'

const BulkNotice = lazyPart(
  withTexts(() => import('../../bulk/BulkNotice.tsx')),
  'BulkNotice',
  'in a notice',
)

/** The delay before an act begins; it can be undone until then. */
const UNDO_SECONDS = 10

export type BulkTarget = { ids: string[] } | { filter: BulkFilter }

/** Changes many conversations in the background. A notice shows the progress on whatever page is open then. */
export function useBulk(onStarted: () => void) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  return useAction({
    run: ({ target, action }: { target: BulkTarget; action: BulkAction }) =>
      api.post('/inbox/bulk', { ...target, action, delay_seconds: UNDO_SECONDS }),
    onDone: ({ data }) => {
      const changed = [key('conversation'), key('inbox')]
      keepNotice(`bulk ${data.id}`, t('inbox.selection'), (close) => (
        <Suspense>
          <BulkNotice api={api} begun={data} refresh={changed} onClose={close} />
        </Suspense>
      ))
      onStarted()
    },
  })
}
