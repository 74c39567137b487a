import { useEffect } from 'react'
import { loadScript } from '../api/load-script.ts'
import { useAction } from '../ui/use-action.ts'

// The part itself keeps no such state, because a second copy of its script would have a state of its own.
let isAsked = false
let listener = () => {}

/** Returns an action that opens the list of actions, as soon as its script has loaded. */
export function useOpenActions() {
  const { mutate } = useAction({
    run: () => {
      isAsked = true
      listener()
      return loadScript(() => import('./Actions.tsx'))
    },
    onRefused: () => {
      isAsked = false
      return false
    },
  })
  return mutate
}

/** Calls `open` when the list of actions is to open, also if that was asked before this part was mounted. */
export function useActionsAsked(open: () => void): void {
  useEffect(() => {
    listener = () => {
      if (isAsked) open()
      isAsked = false
    }
    listener()
    return () => {
      listener = () => {}
    }
  }, [open])
}
