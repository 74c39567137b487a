import { useEffect } from 'react'
import { copyText } from './copy-text.ts'
import { useAction } from './use-action.ts'

/** The time for which a button says that it has copied. */
const SAID_MS = 2_000

/** Returns what a button needs that copies a text. */
export function useCopy(text: string): { isCopied: boolean; copy: () => void } {
  const { isSuccess, reset, mutate } = useAction({ run: () => copyText(text) })
  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(reset, SAID_MS)
    return () => clearTimeout(timer)
  }, [isSuccess, reset])
  return { isCopied: isSuccess, copy: mutate }
}
