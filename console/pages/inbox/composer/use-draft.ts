import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Refusal } from '../../../api/client.ts'
import { useAgent, useWho } from '../../../api/session.ts'
import type { Draft } from '../../../api/types.ts'
import { hasUnsent, useHasUnsent } from '../../../api/unsent.ts'

export type Mode = Draft['mode']

/** The pause in typing after which the text is saved. */
const PAUSE_MS = 800

/** The marks of a text that a model has suggested or translated. */
export type Marks = Pick<Draft, 'suggested' | 'original'>

const OWN: Marks = { suggested: false, original: null }

export interface OpenDraft {
  text: string
  marks: Marks
  /** Changes the text, and its marks if they are given. Emptying the text clears its marks. */
  setText: (text: string, marks?: Marks) => void
  /** The text that another device of this person has saved in the meantime; null for none. */
  elsewhere: string | null
  /** Continues with the other device's text, or with the text here. */
  settle: (takeOther: boolean) => void
  /**
   * Takes the text out of the field because it is being sent. What the person types meanwhile is the next one.
   * @param isKept true if something else keeps the text, which a page that is loaded now then leaves out
   */
  release: (isKept: boolean) => void
  /** Forgets the released text. @param isSent false if it waits to be sent */
  forget: (isSent: boolean) => void
  /** Puts the released text back, before what has been typed since. */
  giveBack: (text: string, marks: Marks) => void
}

/**
 * The text that a person is writing in one conversation and one mode. The service keeps it, so that their other devices
 * have it, and this browser keeps it until the service has it.
 */
export function useDraft(conversationId: string, mode: Mode): OpenDraft {
  const { id: agentId, api, key } = useAgent()
  const { operator } = useWho()
  const queries = useQueryClient()
  const place = `parley-draft ${operator.id} ${agentId} ${conversationId} ${mode}`
  const queryKey = key('conversation', conversationId, 'draft', mode)
  const [text, setShown] = useState(() => localStorage.getItem(place) ?? '')
  const [elsewhere, setElsewhere] = useState<Draft | null>(null)
  /** The newest version of the service that is known here; null if not read yet. */
  const version = useRef<number | null>(null)
  const written = useRef(text)
  const marks = useRef(OWN)
  const isUnsaved = useRef(localStorage.getItem(place) !== null)
  const isSaving = useRef(false)
  /** The released text unless something else keeps it; null if none is being sent, which changes the stored draft. */
  const released = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const stored = useQuery({
    queryKey,
    queryFn: async () => (await api.get(`/conversations/${conversationId}/draft`, { mode })).data,
    refetchOnMount: 'always',
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: conversation and mode stay the same
  const save = useCallback(async () => {
    clearTimeout(timer.current)
    if (!isUnsaved.current || isSaving.current || version.current === null) return
    if (released.current !== null) return
    // Answers that wait empty the stored draft when they are sent.
    if (mode === 'reply' && hasUnsent(operator.id, conversationId)) return
    isSaving.current = true
    const content = written.current
    let isEmptied = false
    try {
      const body = { mode, content, ...marks.current, version: version.current }
      const { data } = await api.put(`/conversations/${conversationId}/draft`, body)
      version.current = data.version
      queries.setQueryData(queryKey, data)
      if (written.current === content) {
        isUnsaved.current = false
        localStorage.removeItem(place)
      }
    } catch (error) {
      // After any other error the draft is saved with the next change, and when the conversation is opened again.
      if (!(error instanceof Refusal) || error.code !== 'draft_moved') return
      const { draft } = error.data as { draft: Draft }
      version.current = draft.version
      queries.setQueryData(queryKey, draft)
      isEmptied = draft.content === ''
      if (draft.content !== '' && draft.content !== written.current) setElsewhere(draft)
    } finally {
      isSaving.current = false
    }
    if (isUnsaved.current && (isEmptied || written.current !== content)) void save()
  }, [])

  const { data: draft, dataUpdatedAt } = stored
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever a draft has been read
  useEffect(() => {
    if (!draft || isSaving.current) return
    const isFirst = version.current === null
    if (!isFirst && draft.version <= (version.current ?? 0)) return
    version.current = draft.version
    if (isFirst || !isUnsaved.current) marks.current = marksOf(draft)
    if (!isUnsaved.current) {
      written.current = draft.content
      setShown(draft.content)
    } else if (isFirst) void save()
  }, [draft, dataUpdatedAt])

  useMomentsToSave(save, useHasUnsent(operator.id, conversationId))

  const setText = (next: string, marked = marks.current) => {
    marks.current = next === '' ? OWN : marked
    written.current = next
    isUnsaved.current = true
    setShown(next)
    localStorage.setItem(place, joined(released.current ?? '', next))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), PAUSE_MS)
  }
  return {
    text,
    marks: marks.current,
    setText,
    elsewhere: elsewhere?.content ?? null,
    settle(takeOther) {
      setElsewhere(null)
      if (takeOther && elsewhere) setText(elsewhere.content, marksOf(elsewhere))
      else setText(written.current)
    },
    release(isKept) {
      released.current = isKept ? '' : written.current
      setText('')
    },
    forget(isSent) {
      released.current = null
      setText(written.current)
      if (!isSent) return
      if (written.current === '') {
        isUnsaved.current = false
        localStorage.removeItem(place)
      }
      setElsewhere(null)
      // Sending has increased the draft's version.
      version.current = null
      void queries.invalidateQueries({ queryKey })
    },
    giveBack(text, marked) {
      released.current = null
      setText(joined(text, written.current), marked)
    },
  }
}

/** Saves when the page is hidden, when the field goes, and when the last waiting answer has been sent. */
function useMomentsToSave(save: () => Promise<void>, answersWait: boolean): void {
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') void save()
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      void save()
    }
  }, [save])

  useEffect(() => {
    if (!answersWait) void save()
  }, [answersWait, save])
}

/** Joins two texts, either of which may be empty. */
function joined(first: string, second: string): string {
  return first && second ? `${first}\n\n${second}` : first || second
}

function marksOf({ suggested, original }: Draft): Marks {
  return { suggested, original }
}
