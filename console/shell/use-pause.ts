import { useTranslation } from 'react-i18next'
import { useAgent } from '../api/session.ts'
import type { PauseResult, Single } from '../api/types.ts'
import { useAction } from '../ui/use-action.ts'

/** Pauses the agent, or lets it answer again, and says how many conversations were told. */
export function usePause() {
  const { t } = useTranslation()
  const agent = useAgent()
  return useAction({
    run: (pause: boolean) => agent.api.post<Single<PauseResult>>(pause ? '/pause' : '/resume'),
    refresh: [['who'], agent.key()],
    done: ({ data: { is_paused, emitted, skipped } }) =>
      t(is_paused ? 'shell.paused' : 'shell.resumed', { emitted, skipped }),
  })
}
