import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeRefusal } from '../../../api/queries.ts'
import { useAgent } from '../../../api/session.ts'
import type { Attachment } from '../../../api/types.ts'
import { notifyFailure } from '../../../ui/notify.ts'
import { useRefusalText } from '../../../ui/refusal-text.ts'

/** The most files of one answer. */
const MOST = 10

/** A file that a person has chosen for an answer. */
export interface ChosenFile {
  file: File
  /** The file as the service has it; null: not yet, or not at all. */
  stored: Attachment | null
  /** The reason why it could not be uploaded. */
  reason: string | null
}

export interface OpenFiles {
  list: readonly ChosenFile[]
  add: (files: readonly File[]) => void
  remove: (files: readonly ChosenFile[]) => void
}

/** The files that a person has chosen for their next answer in a conversation. They are uploaded one after the other. */
export function useFiles(conversationId: string): OpenFiles {
  const { t } = useTranslation()
  const { api } = useAgent()
  const textOf = useRefusalText()
  const [list, setList] = useState<readonly ChosenFile[]>([])
  const wanted = useRef(new Set<File>())
  const uploads = useRef(Promise.resolve())

  async function upload(file: File): Promise<void> {
    if (!wanted.current.has(file)) return
    const form = new FormData()
    form.append('file', file)
    const outcome = await api.post(`/conversations/${conversationId}/attachments`, form).then(
      ({ data }) => ({ stored: data }),
      (error: unknown) => {
        noticeRefusal(error)
        return { reason: textOf(error) }
      },
    )
    setList((all) => all.map((one) => (one.file === file ? { ...one, ...outcome } : one)))
  }
  return {
    list,
    add(files) {
      const added = files.slice(0, MOST - list.length)
      if (added.length < files.length) notifyFailure(t('inbox.files.most', { most: MOST }))
      setList((all) => [...all, ...added.map((file) => ({ file, stored: null, reason: null }))])
      for (const file of added) {
        wanted.current.add(file)
        uploads.current = uploads.current.then(() => upload(file))
      }
    },
    remove(files) {
      const gone = new Set(files.map(({ file }) => file))
      for (const file of gone) wanted.current.delete(file)
      setList((all) => all.filter(({ file }) => !gone.has(file)))
    },
  }
}

/** Returns the properties of a place where files can be dropped. @param onFiles null: none can be */
export function useDrop(onFiles: ((files: readonly File[]) => void) | null) {
  const [isOver, setOver] = useState(false)
  if (!onFiles) return {}
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      onFiles([...event.dataTransfer.files])
    },
  }
}
