import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { onLiveEvent } from '../../../api/live-events.ts'
import { useAgent, useWho } from '../../../api/session.ts'
import { onSignOut } from '../../../api/sign-out.ts'
import type { InboxItem } from '../../../api/types.ts'
import { onBulkEnd } from '../../bulk/bulk-ended.ts'
import type { InboxSearch } from '../inbox-search.ts'
import { createInboxList, type InboxList, type InboxRows } from './inbox-list.ts'

/** The number of views that are kept as they were left, to come back to. */
const KEPT = 8
const lists = new Map<string, { list: InboxList; end: () => void }>()
const listeners = new Set<() => void>()

/** Returns the rows of a view, kept up to date while they are shown. */
export function useInbox(search: InboxSearch, openId: string | undefined): InboxRows & { list: InboxList } {
  const { id, api } = useAgent()
  const { operator } = useWho()
  const name = `${id} ${operator.id} ${JSON.stringify(search)}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name identifies the list
  const list = useMemo(() => {
    const reader = { id: operator.id, names: [operator.name, operator.display_name] }
    const nameOf = (id: number) => (id === operator.id ? operator.name : nameAnywhere(id))
    return keptAs(name, () => createInboxList(api, search, { reader, nameOf }))
  }, [name])
  list.openId = openId
  useEffect(() => {
    list.show(true)
    return () => list.show(false)
  }, [list])
  return { ...useSyncExternalStore(list.subscribe, list.current), list }
}

function keptAs(name: string, make: () => InboxList): InboxList {
  const kept = lists.get(name) ?? begin(make())
  lists.delete(name)
  lists.set(name, kept)
  for (const [oldest, { end }] of lists) {
    if (lists.size <= KEPT) break
    end()
    lists.delete(oldest)
  }
  return kept.list
}

function begin(list: InboxList) {
  const ends = [onLiveEvent(list.hear), list.subscribe(tell)]
  return {
    list,
    end() {
      for (const end of ends) end()
    },
  }
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** Finds a conversation in any view that was read; undefined if none has it. */
export function findListed(conversationId: string): InboxItem | undefined {
  for (const { list } of [...lists.values()].reverse()) {
    const found = list.current().rows?.find(({ id }) => id === conversationId)
    if (found) return found
  }
  return undefined
}

/** Calls `listener` when any row may have changed. */
export function onListed(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Changes a conversation in every list that has it, before the service reports the change. */
export function changeListed(id: string, values: Partial<InboxItem>): void {
  for (const { list } of lists.values()) list.change(id, values)
}

onBulkEnd(() => {
  for (const { list } of lists.values()) list.hear({ type: 'reset', conversation_id: null, at: '' })
})

onSignOut(() => {
  for (const { end } of lists.values()) end()
  lists.clear()
})

/** Finds a person's name in any row. Events name people only by id; if no row has the name, the next reading does. */
function nameAnywhere(operatorId: number): string {
  for (const { list } of lists.values())
    for (const { assignee } of list.current().rows ?? [])
      if (assignee?.id === operatorId) return assignee.name
  return '…'
}
