import type { Attachment } from '../attachment.ts'
import type { Chat } from './chat.ts'
import { oneRun } from './one-run.ts'
import { type UploadFailure, uploadFile } from './upload-file.ts'

/** A file that the visitor has chosen for the next message. */
export interface Chosen {
  key: number
  file: File
  /** The part that was sent, from 0 to 1. */
  sent: number
  stored: Attachment | null
  failure: UploadFailure | null
  stop: AbortController
}

/** Tells whether the service will never take a file. */
export function isRefused({ failure }: Chosen): boolean {
  return failure?.refused === true
}

/** Uploads chosen files one after the other, so that the first is not slowed by the others. */
export function uploadQueue(
  chat: () => Chat,
  changed: () => void,
  failed: (one: Chosen, failure: UploadFailure) => void,
) {
  let chosen: Chosen[] = []
  let keys = 0
  const run = oneRun(async () => {
    for (;;) {
      const next = chosen.find(({ stored, failure }) => !stored && !failure)
      if (!next) return
      await upload(next)
    }
  })
  return {
    get chosen(): readonly Chosen[] {
      return chosen
    },
    add(file: File): void {
      chosen.push({ key: keys++, file, sent: 0, stored: null, failure: null, stop: new AbortController() })
      void run()
    },
    retry,
    retryAll(): void {
      for (const one of chosen) if (one.failure && !isRefused(one)) retry(one)
    },
    remove(one: Chosen): void {
      one.stop.abort()
      chosen = chosen.filter((other) => other !== one)
    },
    clear(): void {
      for (const { stop } of chosen) stop.abort()
      chosen = []
    },
  }

  function retry(one: Chosen): void {
    one.failure = null
    one.sent = 0
    changed()
    void run()
  }

  async function upload(one: Chosen): Promise<void> {
    const { address, token } = chat().uploads()
    const progressed = (part: number) => {
      one.sent = part
      changed()
    }
    try {
      one.stored = await uploadFile(address, token, one.file, progressed, one.stop.signal)
    } catch (error) {
      one.failure = error as UploadFailure
      if (one.failure.code === 'invalid_visitor') await chat().renew()
      if (chosen.includes(one)) failed(one, one.failure)
    }
    changed()
  }
}
