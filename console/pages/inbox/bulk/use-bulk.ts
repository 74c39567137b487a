import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { BulkAct, BulkAction, BulkFilter, Single } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'
import { refreshLists } from '../list/use-inbox.ts'

const ASK_EVERY_MS = 400

export type BulkTarget = { ids: string[] } | { filter: BulkFilter }

/** Changes many conversations in the background, tells how far that has come, and how many are now other than before. */
export function useBulk(onDone: () => void) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [progress, setProgress] = useState<BulkAct | null>(null)
  const acting = useAction({
    run: async ({ target, action }: { target: BulkTarget; action: BulkAction }) => {
      let { data: act } = await api.post<Single<BulkAct>>('/inbox/bulk', { ...target, action })
      while (act.state === 'gathering' || act.state === 'working') {
        setProgress(act)
        await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
        act = (await api.get<Single<BulkAct>>(`/inbox/bulk/${act.id}`)).data
      }
      return act
    },
    refresh: [key('conversation'), key('inbox')],
    done: ({ state, changed, matched }) =>
      t(state === 'failed' ? 'inbox.bulkFailed' : 'inbox.bulkDone', {
        count: changed,
        others: matched - changed,
      }),
    onDone: () => {
      refreshLists()
      onDone()
    },
  })
  return { acting, progress: acting.isPending ? progress : null }
}
