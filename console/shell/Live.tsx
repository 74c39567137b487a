import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LiveEventAnswer } from '../../src/live/schemas.ts'
import { forgetCompany } from '../api/company.ts'
import { tellLiveEvent } from '../api/live-events.ts'
import { shareLiveStream } from '../api/live-stream.ts'
import { useAgent, useWho } from '../api/session.ts'
import { keepSending, sendUnsent } from '../api/unsent.ts'

/** The time to gather changes that are read together. */
const GATHER_MS = 100
/** The outage after which a notice appears; a stream that comes back at once needs none. */
const NOTICE_MS = 2_000

/** The events that matter only to somebody who looks at this moment, and are kept nowhere. */
const passing = new Set(['typing', 'presence', 'message_delta'])

/** Keeps pages up to date: the service reports what has changed, and only that is read again. */
export function Live() {
  const { t } = useTranslation()
  const { id, key } = useAgent()
  const { operator } = useWho()
  const queries = useQueryClient()
  const [isDown, setDown] = useState(false)
  useEffect(() => keepSending(operator.id), [operator.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: one stream for each agent
  useEffect(() => {
    let gathering: ReturnType<typeof setTimeout> | undefined
    let noticing: ReturnType<typeof setTimeout> | undefined
    const stale = new Map<string, (string | number)[]>()

    const markStale = (queryKey: (string | number)[]) => {
      stale.set(queryKey.join(' '), queryKey)
      gathering ??= setTimeout(() => {
        gathering = undefined
        for (const queryKey of stale.values()) void queries.invalidateQueries({ queryKey })
        stale.clear()
      }, GATHER_MS)
    }
    const hear = (event: LiveEventAnswer) => {
      tellLiveEvent(event)
      const { type, conversation_id } = event
      if (passing.has(type)) return
      if (type === 'agent') {
        markStale(['who'])
        markStale(key('settings'))
      }
      if (type === 'inbox') {
        const queryKey = key('inbox', 'counts')
        // An answer under way is older than the event.
        void queries.cancelQueries({ queryKey })
        queries.setQueryData(queryKey, event.counts)
      }
      if (type === 'replies') {
        markStale(key('replies'))
        // Pages of conversations have the canned replies in them as well.
        markStale(key('conversation'))
      }
      if (type === 'reset') markStale(key())
      if (conversation_id) markStale(key('conversation', conversation_id))
    }
    const end = shareLiveStream(id, {
      onEvent: hear,
      onOpened(isAnew) {
        forgetCompany()
        void sendUnsent(operator.id)
        if (!isAnew) return
        markStale(key('inbox'))
        markStale(key('conversation'))
        markStale(key('replies'))
        tellLiveEvent({ type: 'reset', conversation_id: null, at: new Date().toISOString() })
      },
      onState(isUp) {
        // Each failed try reports again that the stream is down.
        if (!isUp) noticing ??= setTimeout(() => setDown(true), NOTICE_MS)
        else {
          clearTimeout(noticing)
          noticing = undefined
          setDown(false)
        }
      },
    })
    return () => {
      end()
      clearTimeout(gathering)
      clearTimeout(noticing)
    }
  }, [id])
  if (!isDown) return null
  return (
    <Text className="paused-notice" role="status">
      {t('shell.down')}
    </Text>
  )
}
