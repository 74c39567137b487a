import { useNavigate } from '@tanstack/react-router'
import { teamApi } from '../api/client.ts'
import { forgetRead } from '../api/sign-out.ts'
import { forgetUnsent } from '../api/unsent.ts'
import { useAction } from './use-action.ts'

/** Ends the session. No data stays in this tab, and no waiting answer in this browser. */
export function useSignOut() {
  const navigate = useNavigate()
  return useAction({
    run: () => teamApi.delete('/session'),
    onDone: async () => {
      forgetUnsent()
      await navigate({ to: '/sign-in' })
      forgetRead()
    },
  })
}
