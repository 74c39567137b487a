import { loadScript } from '../api/load-script.ts'
import { useAction } from '../ui/use-action.ts'
import { askForActions } from './actions-asked.ts'

/** Returns an action that opens the list of actions, as soon as its script has loaded. */
export function useOpenActions() {
  const { mutate } = useAction({
    run: () => {
      askForActions(true)
      return loadScript(() => import('./Actions.tsx'))
    },
    onRefused: () => {
      askForActions(false)
      return false
    },
  })
  return mutate
}
