import { useNavigate } from '@tanstack/react-router'
import { teamApi } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { forgetUnsent } from '../api/unsent.ts'
import { forgetLists } from '../pages/inbox/rows/use-inbox.ts'
import { useAction } from '../ui/use-action.ts'

/** Ends the session. No data stays in this tab, and no waiting answer in this browser. */
export function useSignOut() {
  const navigate = useNavigate()
  return useAction({
    run: () => teamApi.delete('/session'),
    onDone: async () => {
      forgetUnsent()
      await navigate({ to: '/sign-in' })
      queries.clear()
      forgetLists()
    },
  })
}
