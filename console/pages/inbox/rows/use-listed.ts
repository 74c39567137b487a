import { useSyncExternalStore } from 'react'
import type { InboxItem } from '../../../api/types.ts'
import { findListed, onListed } from './use-inbox.ts'

/** Returns a conversation from the views of the inbox that have been read; undefined if none has it. */
export function useListed(conversationId: string): InboxItem | undefined {
  return useSyncExternalStore(onListed, () => findListed(conversationId))
}
