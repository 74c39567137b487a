import { Text } from '@mantine/core'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Attachment, Message } from '../../../api/types.ts'
import { withTexts } from '../../../texts/index.ts'
import { fileSize } from '../../../ui/file-size.ts'
import { DownloadIcon, FileIcon } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { MissingFile } from '../../viewer/MissingFile.tsx'
import { Player, type StoredProps } from '../../viewer/Player.tsx'
import { shortType } from '../../viewer/short-type.ts'

const Viewer = lazyPart(
  withTexts(() => import('../../viewer/Viewer.tsx')),
  'Viewer',
  'in a notice',
)

/** The largest width and height of a picture in the thread, in pixels. */
const WIDEST = 320
const HIGHEST = 240
/** The least width and height, so that a picture which is only a line can be seen and clicked. */
const LEAST = 32

interface AttachmentsProps {
  conversationId: string
  files: readonly Attachment[]
  redacted: Message['redacted']
}

/**
 * Shows the files of a message. A picture opens the viewer; sounds and videos have a player; every other file is a
 * download.
 */
export function Attachments({ conversationId, files, redacted }: AttachmentsProps) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const [viewed, view] = useState<Attachment | null>(null)
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
                {redacted === null
                  ? t('inbox.files.deleted')
                  : t(`inbox.files.deletedBy.${redacted}`, { name: shown })}
              </Text>
            ) : state !== 'stored' ? (
              <MissingFile conversationId={conversationId} file={file} name={shown} />
            ) : (
              <Picture
                file={file}
                name={shown}
                attachmentAddress={attachmentAddress}
                onView={() => view(file)}
              >
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
      {viewed ? (
        <Suspense>
          <Viewer conversationId={conversationId} file={viewed} onClose={() => view(null)} />
        </Suspense>
      ) : null}
    </ul>
  )
}

/**
 * Shows a picture, which a click views; a click for another tab opens it there. `children` are shown instead if the file
 * is no picture or cannot be loaded.
 */
function Picture({
  file,
  name,
  attachmentAddress,
  onView,
  children,
}: StoredProps & { onView: () => void; children: ReactNode }) {
  const { width, height } = file
  const [isLost, setLost] = useState(false)
  if (width === null || height === null || isLost) return children
  return (
    <a
      className="attachment-picture"
      href={attachmentAddress}
      title={name}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onView()
      }}
    >
      <img
        src={`${attachmentAddress}?preview=true`}
        alt={name}
        onError={() => setLost(true)}
        {...sizeInThread(width, height)}
      />
    </a>
  )
}

/** Tells how a sound was heard. What was said in it is the text of its message. */
function Heard({ file: { transcript, reason } }: { file: Attachment }) {
  const { t } = useTranslation()
  if (transcript === null && reason === null) return null
  return (
    <Text size="xs" c={transcript === null ? 'var(--parley-amber)' : 'dimmed'} mt={2}>
      {transcript === null ? t('inbox.files.notHeard', { reason }) : t('inbox.files.heard')}
    </Text>
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
