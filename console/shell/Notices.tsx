import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { onLiveEvent } from '../api/live-events.ts'
import { preference } from '../api/preferences.ts'
import { useAgent, useWho } from '../api/session.ts'
import { playSound } from '../ui/play-sound.ts'
import { useInboxCounts } from '../ui/use-inbox-counts.ts'

/** The time in which several events make only one sound and one notice. */
const BURST_MS = 3_000
const PREVIEW_LENGTH = 120

/**
 * Tells a person who looks elsewhere that somebody waits or has written to them: with a sound, a system notification,
 * and the number in the tab's title. Of several tabs, the first to take the lock does so.
 */
export function Notices() {
  const { t } = useTranslation()
  const { id, name } = useAgent()
  const { operator } = useWho()
  const waiting = useInboxCounts()?.waiting ?? 0
  useTitleCount(waiting)
  const words = useRef({ t, name })
  words.current = { t, name }
  useEffect(() => {
    let toldMs = 0
    const tell = (conversationId: string, text: string) => {
      if (Date.now() - toldMs < BURST_MS) return
      toldMs = Date.now()
      void once(`parley-notice-${id}`, () => {
        const { t, name } = words.current
        if (preference('sound')) playSound()
        if (preference('notices') && document.visibilityState === 'hidden')
          showNotice(t('shell.noticeTitle', { name }), text, `/console/agents/${id}/inbox/${conversationId}`)
      })
    }
    return onLiveEvent((event) => {
      if (!preference('sound') && !preference('notices')) return
      if (event.type === 'conversation') {
        const { waiting_since, assignee_id } = event.conversation
        if (event.fields.includes('waiting_since') && waiting_since)
          tell(event.conversation_id, words.current.t('shell.noticeWaiting'))
        else if (event.fields.includes('assignee_id') && assignee_id === operator.id)
          tell(event.conversation_id, words.current.t('shell.noticeAssigned'))
      }
      if (event.type === 'message' && event.message.role === 'user') {
        const { content } = event.message
        tell(event.conversation_id, typeof content === 'string' ? content.slice(0, PREVIEW_LENGTH) : '')
      }
    })
  }, [id, operator.id])
  return null
}

/** Puts the count before the title that a page gives itself. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const mark = () => {
      const bare = document.title.replace(/^\(\d+\) /, '')
      const wanted = count > 0 ? `(${count}) ${bare}` : bare
      if (document.title !== wanted) document.title = wanted
    }
    mark()
    const title = document.querySelector('title')
    if (!title) return
    const observer = new MutationObserver(mark)
    observer.observe(title, { childList: true })
    return () => observer.disconnect()
  }, [count])
}

/** Runs in one of the tabs that heard the same event: the others find the lock taken, or the recent time stored. */
async function once(name: string, work: () => void): Promise<void> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return work()
  await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock || Date.now() - Number(localStorage.getItem(name)) < BURST_MS) return
    localStorage.setItem(name, String(Date.now()))
    work()
  })
}

function showNotice(title: string, body: string, address: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const notice = new Notification(title, { body, tag: 'parley' })
  notice.onclick = () => {
    window.focus()
    location.assign(address)
  }
}
