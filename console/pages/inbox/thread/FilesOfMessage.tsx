import { Suspense } from 'react'
import type { Attachment } from '../../../api/types.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const Attachments = lazyPart(() => import('./Attachments.tsx'), 'Attachments')

interface FilesOfMessageProps {
  conversationId: string
  files: readonly Attachment[] | null | undefined
}

/** The files of a message. Their script loads with the first message that has some. */
export function FilesOfMessage({ conversationId, files }: FilesOfMessageProps) {
  if (!files?.length) return null
  return (
    <Suspense>
      <Attachments conversationId={conversationId} files={files} />
    </Suspense>
  )
}
