import type { Attachment } from '../../api/types.ts'

export interface StoredProps {
  file: Attachment
  name: string
  attachmentAddress: string
}

/** Returns the element that plays a file; null for a file that is neither a sound nor a video. */
export function playerOf({ kind, type }: Attachment): 'audio' | 'video' | null {
  if (kind === 'voice' || type.startsWith('audio/')) return 'audio'
  return type.startsWith('video/') ? 'video' : null
}

/** Plays a sound or a video. Nothing is loaded until it is played. */
export function Player({ file, name, attachmentAddress }: StoredProps) {
  const Played = playerOf(file)
  if (Played === null) return null
  return (
    <Played className="attachment-player" controls preload="none" src={attachmentAddress} aria-label={name} />
  )
}
