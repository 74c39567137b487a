import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../api/client.ts'
import { readEvents } from '../../api/read-events.ts'
import { useAgent } from '../../api/session.ts'
import type { TriedAnswer } from '../../api/types.ts'

/** The service takes no more at once. */
const MOST_MESSAGES = 199

/** What a turn is tried with, as if the conversation had it. */
export interface Circumstances {
  pageUrl: string
  /** `name=value` each. */
  tags: string[]
}

export interface TriedTurn {
  question: string
  /** As much of the answer as has come. */
  said: string
  /** Null: it is being made, was stopped or failed. */
  answer: TriedAnswer | null
  /** What the service refused. */
  error: unknown
  isStopped: boolean
}

/** What an event of the stream says: a piece of the answer, the whole, or why it broke off. */
interface TriedEvent {
  delta?: string
  data?: TriedAnswer
  error?: { code: Refusal['code']; message: string }
}

export type TriedDialogue = ReturnType<typeof useDialogue>

/** A dialogue that only this page knows: each prompt goes with what was said before. */
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
        messages: [...saidIn(turns), { role: 'user', content: question }],
        ...partsOf(circumstances),
        stream: true,
      }
      const response = await api.open('POST', '/playground', body, asking.signal)
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

/** What the agent is told was said before. Questions without an answer were not. */
function saidIn(turns: readonly TriedTurn[]) {
  return turns
    .flatMap(({ question, answer }) =>
      answer?.response
        ? [
            { role: 'user', content: question },
            { role: 'assistant', content: answer.response },
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
