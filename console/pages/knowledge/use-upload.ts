import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAgent } from '../../api/session.ts'
import type { KnowledgeFile } from '../../api/types.ts'
import { useRefusalText } from '../../ui/refusal-text.ts'
import type { NamedFile } from './dropped-files.ts'
import { useLeftOut, useReason } from './use-reason.ts'

/** The most files and bytes of one request. */
const FILES_AT_ONCE = 20
const BYTES_AT_ONCE = 8 * 1024 * 1024
/** The most final states that this browser keeps. */
const MOST_KEPT = 1000

export interface SentFile {
  path: string
  state: 'waiting' | 'failed' | KnowledgeFile['outcome']
  reason: string | null
  /** Absent after the page was reloaded: then the file cannot be sent again. */
  file?: File
}

/**
 * Sends files a few at a time, one request after the other, and keeps the result of each, also when the page is
 * reloaded.
 */
export function useUpload() {
  const { id, api, key } = useAgent()
  const queries = useQueryClient()
  const textOf = useRefusalText()
  const reasonOf = useReason()
  const leftOut = useLeftOut()
  const keptAs = `parley-files-${id}`
  const [files, setFiles] = useState<SentFile[]>(() => readKept(keptAs))
  const queue = useRef<NamedFile[]>([])
  const isSending = useRef(false)
  useEffect(() => keep(keptAs, files), [keptAs, files])

  function send(added: NamedFile[]) {
    if (added.length === 0) return
    const paths = new Set(added.map(({ path }) => path))
    setFiles((all) => [
      ...added.map(({ path, file }) => ({ path, file, state: 'waiting' as const, reason: null })),
      ...all.filter(({ path }) => !paths.has(path)),
    ])
    queue.current.push(...added)
    void work()
  }

  async function work() {
    if (isSending.current) return
    isSending.current = true
    for (let batch = nextBatch(queue.current); batch.length > 0; batch = nextBatch(queue.current)) {
      const outcomes = await sendBatch(batch)
      setFiles((all) => all.map((sent) => ({ ...sent, ...outcomes.get(sent.path) })))
      void queries.invalidateQueries({ queryKey: key('knowledge') })
    }
    isSending.current = false
  }

  async function sendBatch(batch: NamedFile[]) {
    const form = new FormData()
    for (const { path, file } of batch) form.append('files', file, path)
    try {
      const { data } = await api.post('/knowledge/files', form)
      return new Map(
        batch.map(({ path }, index): [string, Pick<SentFile, 'state' | 'reason'>] => {
          const told = data[index]
          if (!told) return [path, { state: 'failed', reason: null }]
          const { outcome: state, reason } = told
          return [path, { state, reason: reasonOf(reason, told) ?? leftOut(told) }]
        }),
      )
    } catch (error) {
      const failed = { state: 'failed' as const, reason: textOf(error) }
      return new Map(batch.map(({ path }) => [path, failed] as const))
    }
  }

  return {
    files,
    send,
    retry: (again: readonly SentFile[]) =>
      send(again.flatMap(({ path, file }) => (file ? [{ path, file }] : []))),
    clear: () => setFiles([]),
  }
}

/** Takes the files of one request from the queue. */
function nextBatch(queue: NamedFile[]): NamedFile[] {
  let bytes = 0
  let count = 0
  for (const { file } of queue.slice(0, FILES_AT_ONCE)) {
    bytes += file.size
    if (count > 0 && bytes > BYTES_AT_ONCE) break
    count++
  }
  return queue.splice(0, count)
}

function readKept(keptAs: string): SentFile[] {
  try {
    const kept = JSON.parse(localStorage.getItem(keptAs) ?? '[]') as SentFile[]
    // A file that had not been sent when the page was left will never be sent.
    return kept.map((sent) => (sent.state === 'waiting' ? { ...sent, state: 'failed' } : sent))
  } catch {
    return []
  }
}

function keep(keptAs: string, files: SentFile[]): void {
  const kept = files.slice(0, MOST_KEPT).map(({ path, state, reason }) => ({ path, state, reason }))
  if (kept.length > 0) localStorage.setItem(keptAs, JSON.stringify(kept))
  else localStorage.removeItem(keptAs)
}
