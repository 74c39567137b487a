import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../../../api/client.ts'
import { readEvents } from '../../../../api/read-events.ts'
import { useAgent } from '../../../../api/session.ts'
import type { SuggestedReply } from '../../../../api/types.ts'
import type { Marks, OpenDraft } from '../use-draft.ts'

/** A text that the model makes. */
export interface Made {
  kind: 'reply' | 'translation'
  /** The part that has come, with the numbers of its citations. */
  said: string
  /** The text to be sent; null while it is made, and if it failed. */
  draft: string | null
  citations: SuggestedReply['citations']
  error: unknown
}

/** The draft from before a text of the model was used. */
interface Undo {
  text: string
  marks: Marks
  /** The draft with the model's text. Undo is possible only while the person has not changed it. */
  used: string
}

interface SuggestEvent {
  delta?: string
  data?: SuggestedReply
  error?: { code: Refusal['code']; message: string }
}

const NOTHING = { said: '', draft: null, citations: [], error: null }

/** Asks the model for texts, which stay beside the person's draft until they decide. */
export function useCopilot(conversationId: string, draft: Pick<OpenDraft, 'text' | 'marks' | 'setText'>) {
  const { api } = useAgent()
  const [made, setMade] = useState<Made | null>(null)
  const [undo, setUndo] = useState<Undo | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function run(kind: Made['kind'], work: (signal: AbortSignal) => Promise<void>) {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    setUndo(null)
    setMade({ kind, ...NOTHING })
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) setMade({ kind, ...NOTHING, error })
    }
  }

  /** Asks for a reply. @param wish what the person wants of it; with a wish, the present draft is rewritten */
  function suggest(wish?: string) {
    const body = {
      ...(wish === undefined ? {} : { instruction: wish }),
      ...(wish === undefined || draft.text.trim() === '' ? {} : { draft: draft.text }),
    }
    return run('reply', async (signal) => {
      const response = await api.open('POST', `/conversations/${conversationId}/suggest`, { body, signal })
      let isWhole = false
      await readEvents(response, (event) => {
        const { delta, data, error } = JSON.parse(event) as SuggestEvent
        if (error) throw new Refusal(error.code, error.message)
        isWhole ||= data !== undefined
        if (signal.aborted) return
        if (delta) setMade((now) => now && { ...now, said: now.said + delta })
        if (data)
          setMade(
            (now) => now && { ...now, said: data.content, draft: data.draft, citations: data.citations },
          )
      })
      if (!isWhole) throw new Refusal('unreachable', 'The answer broke off.')
    })
  }

  function translate(to: string) {
    return run('translation', async (signal) => {
      const body = { to, text: draft.text }
      const response = await api.open('POST', `/conversations/${conversationId}/translate`, { body, signal })
      const { data } = (await response.json()) as { data: { text: string } }
      if (!signal.aborted) setMade((now) => now && { ...now, said: data.text, draft: data.text })
    })
  }

  function discard() {
    running.current?.abort()
    setMade(null)
  }

  /** Replaces the draft with the text, or appends the text to it. */
  function use(way: 'replace' | 'append') {
    if (!made?.draft) return
    const { text, marks, setText } = draft
    const used = way === 'append' && text.trim() !== '' ? `${text.trimEnd()}\n\n${made.draft}` : made.draft
    const own = marks.original ?? text
    setText(
      used,
      made.kind === 'translation' ? { ...marks, original: own } : { suggested: true, original: null },
    )
    setUndo({ text, marks, used })
    discard()
  }

  return {
    made,
    canUndo: undo !== null && undo.used === draft.text,
    suggest,
    translate,
    discard,
    use,
    undo() {
      if (undo) draft.setText(undo.text, undo.marks)
      setUndo(null)
    },
  }
}
