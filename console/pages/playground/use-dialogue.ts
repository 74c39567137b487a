import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../api/client.ts'
import { readEvents } from '../../api/read-events.ts'
import { useAgent } from '../../api/session.ts'
import type { TriedAnswer } from '../../api/types.ts'

/** The most messages that the service takes at once. */
const MOST_MESSAGES = 199

/** The circumstances in which a turn is tried, as if the conversation had them. */
export interface Circumstances {
  pageUrl: string
  /** Tags as `name=value`. */
  tags: string[]
}

export interface TriedTurn {
  question: string
  /** The part of the answer that has come. */
  said: string
  /** Null while it is being generated, and if it was stopped or failed. */
  answer: TriedAnswer | null
  /** The refusal of the service. */
  error: unknown
  isStopped: boolean
}

/** An event of the stream: a piece of the answer, the whole answer, or the reason why it broke off. */
interface TriedEvent {
  delta?: string
  data?: TriedAnswer
  error?: { code: Refusal['code']; message: string }
}

export type TriedDialogue = ReturnType<typeof useDialogue>

/** Keeps a dialogue that only this page knows: each prompt is sent with the earlier messages. */
export function useDialogue() {
  const { api } = useAgent()
  const [turns, setTurns] = useState<TriedTurn[]>([])
  const [isBusy, setBusy] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  function changeLast(change: (turn: TriedTurn) => Partial<TriedTurn>) {
    setTurns((all) => all.map((turn, at) => (at === all.length - 1 ? { ...turn, ...change(turn) } : turn)))
  }

  async function ask(question: string, circumstances: Circumstances) {
    const asking = new AbortController()
    running.current = asking
    setBusy(true)
    setTurns((all) => [...all, { question, said: '', answer: null, error: null, isStopped: false }])
    try {
      const body = {
        messages: [...saidIn(turns), { role: 'user' as const, content: question }],
        ...partsOf(circumstances),
        stream: true,
      }
      const response = await api.open('POST', '/playground', { body, signal: asking.signal })
      let isWhole = false
      await readEvents(response, (event) => {
        if (running.current !== asking) return
        const { delta, data, error } = JSON.parse(event) as TriedEvent
        if (error) throw new Refusal(error.code, error.message)
        if (delta) changeLast(({ said }) => ({ said: said + delta }))
        if (data) changeLast(() => ({ answer: data }))
        isWhole ||= data !== undefined
      })
      if (!isWhole) throw new Refusal('unreachable', 'The answer broke off.')
    } catch (error) {
      if (running.current === asking)
        changeLast(() => (asking.signal.aborted ? { isStopped: true } : { error }))
    } finally {
      if (running.current === asking) setBusy(false)
    }
  }

  function begin() {
    running.current?.abort()
    running.current = null
    setBusy(false)
    setTurns([])
  }

  return { turns, isBusy, ask, stop: () => running.current?.abort(), begin }
}

/** Returns the earlier messages that the agent is told. Questions without an answer are left out. */
function saidIn(turns: readonly TriedTurn[]) {
  return turns
    .flatMap(({ question, answer }) =>
      answer?.response
        ? [
            { role: 'user' as const, content: question },
            { role: 'assistant' as const, content: answer.response },
          ]
        : [],
    )
    .slice(-(MOST_MESSAGES - 1))
}

function partsOf({ pageUrl, tags }: Circumstances) {
  const pairs = tags.map((tag) => {
    const [name = '', ...value] = tag.split('=')
    return [name.trim(), value.join('=').trim()]
  })
  return {
    ...(pageUrl.trim() ? { page_url: pageUrl.trim() } : {}),
    ...(pairs.length > 0 ? { tags: Object.fromEntries(pairs) } : {}),
  }
}
