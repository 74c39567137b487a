import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FetchReason } from '../../../../src/platforms/media.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Attachment } from '../../../api/types.ts'
import { fileSize } from '../../../ui/file-size.ts'
import { DownloadIcon, FileIcon } from '../../../ui/icons.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** The largest width and height of a picture in the thread, in pixels. */
const WIDEST = 320
const HIGHEST = 240
/** The least width and height, so that a picture which is only a line can be seen and clicked. */
const LEAST = 32

interface AttachmentsProps {
  conversationId: string
  files: readonly Attachment[]
}

/**
 * Shows the files of a message. A picture links to its full size; sounds and videos have a player; every other file is
 * a download.
 */
export function Attachments({ conversationId, files }: AttachmentsProps) {
  const { t } = useTranslation()
  const { api } = useAgent()
  if (files.length === 0) return null
  return (
    <ul className="attachments">
      {files.map((file) => {
        const { id, kind, name, state } = file
        const attachmentAddress = api.address(`/conversations/${conversationId}/attachments/${id}`)
        const shown = name ?? t(`inbox.files.kinds.${kind}`)
        return (
          <li key={id}>
            {state === 'deleted' ? (
              <Text component="span" size="secondary" c="dimmed" className="attachment" data-deleted="">
                {t('inbox.files.deleted')}
              </Text>
            ) : state !== 'stored' ? (
              <MissingFile conversationId={conversationId} file={file} name={shown} />
            ) : (
              <Picture file={file} name={shown} attachmentAddress={attachmentAddress}>
                <Player file={file} name={shown} attachmentAddress={attachmentAddress} />
                <a className="attachment" href={attachmentAddress} download={name ?? ''} title={shown}>
                  <DownloadableFile file={file} name={shown} />
                </a>
                <Heard file={file} />
              </Picture>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface StoredProps {
  file: Attachment
  name: string
  attachmentAddress: string
}

/** Shows a picture. `children` are shown instead if the file is no picture or cannot be loaded. */
function Picture({ file, name, attachmentAddress, children }: StoredProps & { children: ReactNode }) {
  const { width, height } = file
  const [isLost, setLost] = useState(false)
  if (width === null || height === null || isLost) return children
  return (
    <a className="attachment-picture" href={attachmentAddress} target="_blank" rel="noreferrer" title={name}>
      <img
        src={`${attachmentAddress}?preview=true`}
        alt={name}
        onError={() => setLost(true)}
        {...sizeInThread(width, height)}
      />
    </a>
  )
}

/** Plays a sound or a video. Nothing is loaded until it is played. */
function Player({ file: { kind, type }, name, attachmentAddress }: StoredProps) {
  const isSound = kind === 'voice' || type.startsWith('audio/')
  if (!isSound && !type.startsWith('video/')) return null
  const Played = isSound ? 'audio' : 'video'
  return (
    <Played className="attachment-player" controls preload="none" src={attachmentAddress} aria-label={name} />
  )
}

/** Tells how a sound was heard. What was said in it is the text of its message. */
function Heard({ file: { transcript, reason } }: { file: Attachment }) {
  const { t } = useTranslation()
  if (transcript === undefined && reason === undefined) return null
  return (
    <Text size="xs" c={transcript === undefined ? 'var(--parley-amber)' : 'dimmed'} mt={2}>
      {transcript === undefined ? t('inbox.files.notHeard', { reason }) : t('inbox.files.heard')}
    </Text>
  )
}

/** A file that is being fetched from the platform of its channel, or that could not be. */
function MissingFile({
  conversationId,
  file: { id, state, reason },
  name,
}: {
  conversationId: string
  file: Attachment
  name: string
}) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const fetching = useAction({
    run: () => api.post(`/conversations/${conversationId}/attachments/${id}/fetch`),
    refresh: [key('conversation', conversationId)],
  })
  return (
    <Group gap="xs" className="attachment foreign" data-missing="">
      <Text component="span" size="secondary" c="dimmed">
        {state === 'fetching'
          ? t('inbox.files.fetching', { name })
          : t('inbox.files.failed', { name, reason: t(`inbox.files.reasons.${reason as FetchReason}`) })}
      </Text>
      {state !== 'fetching' && mayRespond ? (
        <Button
          variant="default"
          size="compact-xs"
          loading={fetching.isPending}
          onClick={() => fetching.mutate()}
        >
          {t('inbox.files.fetch')}
        </Button>
      ) : null}
    </Group>
  )
}

function DownloadableFile({ file: { type, bytes }, name }: { file: Attachment; name: string }) {
  const { i18n } = useTranslation()
  const about = [shortType(type), fileSize(bytes, i18n.language)].filter((part) => part !== null)
  return (
    <>
      <FileIcon size={20} />
      <span className="attachment-about foreign">
        <Text component="span" size="secondary" fw={500} lineClamp={2}>
          <bdi>{name}</bdi>
        </Text>
        <Text component="span" size="xs" c="dimmed">
          {about.join(' · ')}
        </Text>
      </span>
      <DownloadIcon size={16} />
    </>
  )
}

/** Returns the size of a picture in the thread. It is set before the picture is loaded, so that the page does not move. */
function sizeInThread(width: number, height: number) {
  const scale = Math.min(1, WIDEST / width, HIGHEST / height)
  const [wide, high] = [width, height].map((pixels) => Math.max(LEAST, Math.round(pixels * scale)))
  return { width: wide, height: high, style: { aspectRatio: `${wide} / ${high}` } }
}

/** Returns a media type as people name it, such as `PDF`; null for one that tells them nothing. */
function shortType(type: string): string | null {
  const name = type.split('/')[1]?.replace(/^x-/, '') ?? ''
  return /^[\w-]{2,8}$/.test(name) ? name.toUpperCase() : null
}
