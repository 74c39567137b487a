import { ActionIcon, Group, Modal, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useContext, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Attachment, TimelineLine } from '../../api/types.ts'
import { joined } from '../../texts/isolated.ts'
import { fileSize } from '../../ui/file-size.ts'
import { ArrowLeftIcon, CloseIcon, DownloadIcon, PlusIcon } from '../../ui/icons.tsx'
import { exactTime } from '../../ui/Time.tsx'
import { MissingFile } from './MissingFile.tsx'
import { Player, playerOf } from './Player.tsx'
import { shortType } from './short-type.ts'
import { ThreadLines } from './thread-lines.ts'
import './Viewer.css'

const LARGEST = 8
const STEP = 1.5
/** The look of the buttons above a file. */
const quiet = { variant: 'subtle', color: 'gray', size: 'lg' } as const

interface ViewerProps {
  conversationId: string
  /** The file that is shown first. */
  file: Attachment
  onClose: () => void
}

/** A file of a thread; `message` is null while its message is on its way. */
interface ViewedFile {
  file: Attachment
  message: Extract<TimelineLine, { type: 'message' }>['message'] | null
}

/** Shows the files of a thread one at a time, as large as the window: pictures can be enlarged, sounds and videos played. */
export function Viewer({ conversationId, file, onClose }: ViewerProps) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const lines = useContext(ThreadLines)
  const [id, go] = useState(file.id)
  const [zoom, setZoom] = useState(1)
  const files = filesOf(lines, file)
  const at = Math.max(
    0,
    files.findIndex((one) => one.file.id === id),
  )
  const viewed = files[at] ?? { file, message: null }
  const attachmentAddress = api.address(`/conversations/${conversationId}/attachments/${viewed.file.id}`)
  const name = viewed.file.name ?? t(`inbox.files.kinds.${viewed.file.kind}`)
  const isThere = viewed.file.state === 'stored'
  const isPicture = isThere && viewed.file.width !== null

  const step = (by: number) => {
    const next = files[at + by]
    if (!next) return
    go(next.file.id)
    setZoom(1)
  }
  const enlarge = (by: number) => setZoom(Math.min(LARGEST, Math.max(1, zoom * by)))
  useWindowEvent('keydown', (event) => {
    // A player has keys of its own, and so has the browser.
    if (event.target instanceof HTMLMediaElement || event.ctrlKey || event.metaKey || event.altKey) return
    const act = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      '+': () => enlarge(STEP),
      '=': () => enlarge(STEP),
      '-': () => enlarge(1 / STEP),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })

  return (
    <Modal.Root opened onClose={onClose} fullScreen padding={0} transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={t('viewer.title')}>
        <Modal.Body className="viewer">
          <Group className="viewer-head" wrap="nowrap" gap="xs">
            <div className="viewer-about foreign">
              <Text size="secondary" fw={600} truncate>
                <bdi>{name}</bdi>
              </Text>
              <About viewed={viewed} />
            </div>
            {isPicture ? <ZoomButtons zoom={zoom} onEnlarge={enlarge} /> : null}
            {isThere ? (
              <ActionIcon
                {...quiet}
                component="a"
                href={attachmentAddress}
                download={viewed.file.name ?? ''}
                aria-label={t('viewer.download')}
              >
                <DownloadIcon />
              </ActionIcon>
            ) : null}
            <ActionIcon {...quiet} aria-label={t('common.close')} onClick={onClose} data-autofocus>
              <CloseIcon />
            </ActionIcon>
          </Group>
          <Shown
            key={viewed.file.id}
            conversationId={conversationId}
            viewed={viewed}
            name={name}
            attachmentAddress={attachmentAddress}
            zoom={zoom}
          />
          {files.length > 1 ? <StepButtons at={at} of={files.length} onStep={step} /> : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function ZoomButtons({ zoom, onEnlarge }: { zoom: number; onEnlarge: (by: number) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <ActionIcon
        {...quiet}
        aria-label={t('viewer.smaller')}
        disabled={zoom === 1}
        onClick={() => onEnlarge(1 / STEP)}
      >
        <span aria-hidden="true">−</span>
      </ActionIcon>
      <ActionIcon
        {...quiet}
        aria-label={t('viewer.larger')}
        disabled={zoom === LARGEST}
        onClick={() => onEnlarge(STEP)}
      >
        <PlusIcon />
      </ActionIcon>
    </>
  )
}

/** The buttons that lead to the files before and after, and the place of this one among them. */
function StepButtons({ at, of, onStep }: { at: number; of: number; onStep: (by: number) => void }) {
  const { t } = useTranslation()
  return (
    <Group className="viewer-foot" justify="center" gap="md">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('viewer.previous')}
        disabled={at === 0}
        onClick={() => onStep(-1)}
      >
        <ArrowLeftIcon />
      </ActionIcon>
      <Text size="secondary" c="dimmed" aria-live="polite">
        {t('viewer.place', { at: at + 1, of })}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        className="viewer-next"
        aria-label={t('viewer.next')}
        disabled={at === of - 1}
        onClick={() => onStep(1)}
      >
        <ArrowLeftIcon />
      </ActionIcon>
    </Group>
  )
}

/** Tells who sent a file and when, its type and its size. */
function About({ viewed: { file, message } }: { viewed: ViewedFile }) {
  const { t, i18n } = useTranslation()
  const { type, bytes, width, height, state } = file
  const about = [
    message && (message.author ?? t(`inbox.roles.${message.role}`)),
    message && exactTime(message.created_at, i18n.language),
    ...(state === 'stored'
      ? [shortType(type), fileSize(bytes, i18n.language), width !== null && `${width} × ${height}`]
      : []),
  ]
  return (
    <Text size="xs" c="dimmed" lineClamp={2}>
      {joined(about)}
    </Text>
  )
}

interface ShownProps {
  conversationId: string
  viewed: ViewedFile
  name: string
  attachmentAddress: string
  zoom: number
}

/** Shows a file, or says why it is not there. */
function Shown({ conversationId, viewed: { file }, name, attachmentAddress, zoom }: ShownProps) {
  const { t } = useTranslation()
  const [isLost, setLost] = useState(false)
  const { width, height } = file
  if (file.state === 'stored' && width !== null && height !== null && !isLost) {
    const size: [number, number] = [width, height]
    return (
      <LargePicture
        size={size}
        name={name}
        attachmentAddress={attachmentAddress}
        zoom={zoom}
        onLost={() => setLost(true)}
      />
    )
  }
  return (
    <div className="viewer-stage">
      {file.state === 'deleted' ? (
        <Text c="dimmed">{t('inbox.files.deleted')}</Text>
      ) : file.state !== 'stored' ? (
        <MissingFile conversationId={conversationId} file={file} name={name} />
      ) : playerOf(file) ? (
        <Player file={file} name={name} attachmentAddress={attachmentAddress} />
      ) : (
        <Text c="dimmed">{t(isLost ? 'viewer.broken' : 'viewer.notShown')}</Text>
      )}
    </div>
  )
}

/** A picture that fits into the window, or is larger and scrolls. */
function LargePicture({
  size: [width, height],
  name,
  attachmentAddress,
  zoom,
  onLost,
}: Pick<ShownProps, 'name' | 'attachmentAddress' | 'zoom'> & { size: [number, number]; onLost: () => void }) {
  const stage = useRef<HTMLDivElement>(null)
  const before = useRef(zoom)
  // Zooming keeps the middle of the picture in the middle.
  useLayoutEffect(() => {
    const { current } = stage
    if (!current) return
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = current
    const fitting = Math.min(1, clientWidth / width, clientHeight / height)
    current.style.setProperty('--width', `${width * fitting * zoom}px`)
    const ratio = zoom / before.current
    before.current = zoom
    current.scrollLeft = (scrollLeft + clientWidth / 2) * ratio - clientWidth / 2
    current.scrollTop = (scrollTop + clientHeight / 2) * ratio - clientHeight / 2
  }, [zoom, width, height])
  return (
    <div className="viewer-stage" ref={stage} {...(zoom > 1 ? { tabIndex: 0, 'data-zoomed': '' } : {})}>
      <img src={attachmentAddress} alt={name} onError={onLost} />
    </div>
  )
}

/** The files of a thread in their order; only the one that was asked for if the thread does not have it. */
function filesOf(lines: readonly TimelineLine[], file: Attachment): ViewedFile[] {
  const files = lines.flatMap((line) =>
    line.type === 'message'
      ? (line.message.attachments ?? []).map((file) => ({ file, message: line.message }))
      : [],
  )
  return files.some(({ file: { id } }) => id === file.id) ? files : [{ file, message: null }]
}
