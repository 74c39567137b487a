import { Suspense } from 'react'
import type { Attachment, Message } from '../../../api/types.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const Attachments = lazyPart(() => import('./Attachments.tsx'), 'Attachments')

interface FilesOfMessageProps {
  conversationId: string
  files: readonly Attachment[] | null | undefined
  /** The redaction that has deleted some of them. */
  redacted?: Message['redacted']
}

/** The files of a message. Their script loads with the first message that has some. */
export function FilesOfMessage({ conversationId, files, redacted = null }: FilesOfMessageProps) {
  if (!files?.length) return null
  return (
    <Suspense>
      <Attachments conversationId={conversationId} files={files} redacted={redacted} />
    </Suspense>
  )
}
