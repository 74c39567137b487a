import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { preference } from '../../../api/preferences.ts'
import { useAgent } from '../../../api/session.ts'
import type { InboxItem } from '../../../api/types.ts'
import { ended } from '../act-signs.ts'
import { inboxSearch } from '../inbox-search.ts'
import type { InboxList } from '../rows/inbox-list.ts'

interface Parts {
  rows: readonly InboxItem[]
  openId: string | undefined
  list: InboxList
  /** Brings a row into view. */
  scrollTo: (index: number) => void
}

/** Opens the rows beside the open one: by a key, and when the open conversation ends. The open one counts as read. */
export function useOpenRow({ rows, openId, list, scrollTo }: Parts) {
  const { id } = useAgent()
  const navigate = useNavigate()
  const open = (row: InboxItem | undefined) => {
    if (!row) return
    scrollTo(rows.indexOf(row))
    void navigate({
      to: '/agents/$agentId/inbox/$conversationId',
      params: { agentId: String(id), conversationId: row.id },
      search: inboxSearch,
    })
  }
  const neighbour = (step: 1 | -1) => {
    const at = rows.findIndex((row) => row.id === openId)
    return at < 0 ? rows[0] : rows[at + step]
  }
  const listed = useRef({ open, neighbour, openId })
  listed.current = { open, neighbour, openId }
  const always = useRef(false)
  useEffect(
    () =>
      ended.listen((endedId) => {
        const { open, neighbour, openId } = listed.current
        if (endedId !== openId || !(always.current || preference('next'))) return
        always.current = false
        open(neighbour(1) ?? neighbour(-1))
      }),
    [],
  )
  // It counts as read also when another one opens.
  useEffect(() => {
    if (!openId) return
    list.change(openId, { unread: false })
    return () => list.change(openId, { unread: false })
  }, [list, openId])
  return {
    step: (step: 1 | -1) => open(neighbour(step)),
    /** Opens the next row once the open conversation ends, also where the person does not usually want that. */
    stepAtEnd: () => {
      always.current = true
    },
  }
}
