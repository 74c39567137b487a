import { useEffect } from 'react'

// The part that shows the list keeps no such state, because a second copy of its script would have a state of its own.
let isAsked = false
let listener = () => {}

/** Notes that the list of actions is to open, or no longer. */
export function askForActions(isWanted: boolean): void {
  isAsked = isWanted
  listener()
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
