import type { QueryKey } from '@tanstack/react-query'
import i18next from 'i18next'
import { Suspense } from 'react'
import type { Api } from '../../api/client.ts'
import type { BulkAct } from '../../api/types.ts'
import { withTexts } from '../../texts/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { keepNotice } from '../../ui/notify.ts'

const BulkNotice = lazyPart(
  withTexts(() => import('./BulkNotice.tsx')),
  'BulkNotice',
  'in a notice',
)

/**
 * Shows the progress of an act on many conversations, on whatever page is open then.
 * @param refresh the queries that are read again when the act is done
 */
export function keepBulkNotice(api: Api, begun: BulkAct, refresh: QueryKey[]): void {
  keepNotice(`bulk ${begun.id}`, i18next.t('inbox.selection'), (close) => (
    <Suspense>
      <BulkNotice api={api} begun={begun} refresh={refresh} onClose={close} />
    </Suspense>
  ))
}
