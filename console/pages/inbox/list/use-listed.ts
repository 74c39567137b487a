import { useSyncExternalStore } from 'react'
import type { InboxItem } from '../../../api/types.ts'
import { findListed, onListed } from './use-inbox.ts'

/** A conversation as the views of the inbox hold it that have been read; undefined: none does. */
export function useListed(conversationId: string): InboxItem | undefined {
  return useSyncExternalStore(onListed, () => findListed(conversationId))
}
