import { useRef, useState } from 'react'
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
  /** The uploaded file; null until it is uploaded. */
  stored: Attachment | null
  /** The reason why it could not be uploaded. */
  reason: string | null
}

export interface OpenFiles {
  list: readonly ChosenFile[]
  add: (files: readonly File[]) => void
  remove: (files: readonly ChosenFile[]) => void
}

/**
 * Keeps the files that a person chooses for their next message, and uploads them one at a time.
 * @param place the conversation that they are for, or the channel on which they are to open one
 */
export function useFiles(place: `/conversations/${string}` | `/channels/${number}`): OpenFiles {
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
    // Loaded now so that the thread can show the sent file even if the connection has gone by then.
    void import('../thread/Attachments.tsx').catch(() => {})
    const outcome = await api.post(`${place}/attachments` as const, form).then(
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
