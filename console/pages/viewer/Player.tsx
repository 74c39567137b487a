import type { Attachment } from '../../api/types.ts'

export interface StoredProps {
  file: Attachment
  name: string
  attachmentAddress: string
}

/** Plays a sound or a video. Nothing is loaded until it is played. */
export function Player({ file: { kind, type }, name, attachmentAddress }: StoredProps) {
  const isSound = kind === 'voice' || type.startsWith('audio/')
  if (!isSound && !type.startsWith('video/')) return null
  const Played = isSound ? 'audio' : 'video'
  return (
    <Played className="attachment-player" controls preload="none" src={attachmentAddress} aria-label={name} />
  )
}
