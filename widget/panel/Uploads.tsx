import { filesInWords } from '../../src/redaction/files-of-message.ts'
import { draw as drawIn } from '../draw/draw.ts'
import { adopterOf } from './adopt-sheet.ts'
import { canvasOf } from './draw-picture.ts'
import type { Extra, ExtraOptions } from './extra.ts'
import { type FileTexts, loadFileTexts, refusalOf } from './file-texts.ts'
import type { Attachment } from './protocol.ts'
import { fill } from './texts.ts'
import { type UploadFailure, uploadFile } from './upload-file.ts'
import css from './uploads.css?inline'

const adopt = adopterOf(css)
const MOST_FILES = 5
const LARGEST_FILE = 10 * 1024 * 1024
const PICTURES = 'image/jpeg,image/png,image/webp,image/gif,image/avif'
const isPicture = ({ type }: File) => PICTURES.split(',').includes(type)
/** The type or the name of a picture that visitors may take for one that can be sent, such as an iPhone's. */
const OTHER_PICTURE = /^image\/|\.hei[cf]$/i
/** Outlines in a square of 24 units. */
const outlines = {
  clip: 'M15 7l-6.5 6.5a1.5 1.5 0 0 0 3 3l6.5 -6.5a3 3 0 0 0 -6 -6l-6.5 6.5a4.5 4.5 0 0 0 9 9l6.5 -6.5',
  camera:
    'M5 7h1a2 2 0 0 0 2 -2a1 1 0 0 1 1 -1h6a1 1 0 0 1 1 1a2 2 0 0 0 2 2h1a2 2 0 0 1 2 2v9a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-9a2 2 0 0 1 2 -2 M9 13a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  again: 'M20 11a8 8 0 0 0 -15.5 -2m-.5 -4v4h4 M4 13a8 8 0 0 0 15.5 2m.5 4v-4h-4',
  remove: 'M18 6l-12 12 M6 6l12 12',
}

/** A file that the visitor has chosen for the next message. */
interface Chosen {
  key: number
  file: File
  /** The part that was sent, from 0 to 1. */
  sent: number
  stored: Attachment | null
  failure: UploadFailure | null
  stop: AbortController
}

/**
 * Lets a visitor choose, paste, drop and photograph files, and sends them with the next message.
 * @param onlyPictures true if only pictures are taken
 */
export async function takeUploads(
  { frame, chat, language, announce, life }: ExtraOptions,
  onlyPictures: boolean,
): Promise<Extra> {
  const { form, input, panel, root } = frame
  let texts = await loadFileTexts(language())
  adopt(root)
  const list = document.createElement('div')
  const buttons = document.createElement('div')
  buttons.className = 'adds'
  form.before(list)
  form.prepend(buttons)
  let chosen: Chosen[] = []
  let keys = 0
  let note = ''
  let isRunning = false
  /** True once the visitor wants to send: the message leaves when all files are there. */
  let isSending = false

  const options = { signal: life }
  const filesIn = (data: DataTransfer | null) => [...(data?.files ?? [])]
  // Before the form's own listener, which knows only texts.
  panel.addEventListener('submit', submit, { capture: true, ...options })
  input.addEventListener('paste', paste, options)
  panel.addEventListener('dragover', over, options)
  panel.addEventListener('dragleave', () => panel.classList.remove('over'), options)
  panel.addEventListener('drop', drop, options)
  addEventListener('online', retryAll, options)
  life.addEventListener('abort', () => {
    clear()
    list.remove()
    buttons.remove()
  })
  draw()
  // The chat may have got another language meanwhile.
  void translate()
  return { clear, translate, drawn: () => {} }

  function submit(event: Event): void {
    note = ''
    if (chosen.length > 0) {
      event.preventDefault()
      event.stopImmediatePropagation()
      isSending = true
      if (chosen.some(isRefused)) hold()
      else retryAll()
    }
    sendWhenReady()
  }

  /** Keeps a message back that has a file which the service does not take. */
  function hold(): void {
    isSending = false
    note = texts.blocked
    announce(note)
  }

  function sendWhenReady(): void {
    const files = chosen.flatMap(({ stored }) => stored ?? [])
    if (isSending && files.length === chosen.length && files.length > 0) {
      const text = input.value.trim() || filesInWords(files.map(({ kind }) => kind))
      isSending = false
      chosen = []
      input.value = ''
      input.dispatchEvent(new Event('input'))
      chat().keepDraft('')
      chat().send(text, files)
    }
    draw()
  }

  function paste(event: ClipboardEvent): void {
    const files = filesIn(event.clipboardData)
    // A copied part of a document comes as text and as a picture: the text is meant.
    if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return
    event.preventDefault()
    add(files)
  }

  function over(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    panel.classList.add('over')
  }

  function drop(event: DragEvent): void {
    panel.classList.remove('over')
    const files = filesIn(event.dataTransfer)
    if (files.length === 0) return
    event.preventDefault()
    add(files)
  }

  function add(files: readonly File[]): void {
    note = ''
    for (const file of files) {
      const { name } = file
      if (file.size > LARGEST_FILE) note = fill(texts.tooLarge, { name })
      else if (file.size === 0) note = fill(texts.empty, { name })
      else if (onlyPictures && !isPicture(file))
        note = fill(OTHER_PICTURE.test(`${file.type} ${name}`) ? texts.otherPicture : texts.notTaken, {
          name,
        })
      else if (chosen.filter((one) => !isRefused(one)).length === MOST_FILES) note = texts.most
      else
        chosen.push({ key: keys++, file, sent: 0, stored: null, failure: null, stop: new AbortController() })
    }
    if (note) announce(note)
    draw()
    void run()
  }

  /** Uploads the files one after the other, so that the first is not slowed by the others. */
  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (;;) {
      const next = chosen.find(({ stored, failure }) => !stored && !failure)
      if (!next) break
      await upload(next)
    }
    isRunning = false
    sendWhenReady()
  }

  async function upload(one: Chosen): Promise<void> {
    const { address, token } = chat().uploads()
    try {
      const progressed = (part: number) => {
        one.sent = part
        draw()
      }
      one.stored = await uploadFile(address, token, one.file, progressed, one.stop.signal)
    } catch (error) {
      one.failure = error as UploadFailure
      if (one.failure.code === 'invalid_visitor') await chat().renew()
      if (chosen.includes(one)) announce(whyNot(one.failure, one.file.name, texts))
      if (isRefused(one) && isSending) hold()
    }
    draw()
  }

  function retryAll(): void {
    for (const one of chosen) if (one.failure && !isRefused(one)) retry(one)
  }

  function retry(one: Chosen): void {
    one.failure = null
    one.sent = 0
    draw()
    void run()
  }

  function remove(one: Chosen): void {
    one.stop.abort()
    chosen = chosen.filter((other) => other !== one)
    // With the last file, the wish to send it is gone.
    if (chosen.length === 0) isSending = false
    note = ''
    input.focus({ preventScroll: true })
    sendWhenReady()
  }

  function clear(): void {
    for (const { stop } of chosen) stop.abort()
    chosen = []
    isSending = false
    note = ''
    draw()
  }

  async function translate(): Promise<void> {
    const wanted = language()
    const read = await loadFileTexts(wanted)
    if (wanted !== language()) return
    texts = read
    draw()
  }

  function draw(): void {
    drawIn(
      list,
      <>
        {note ? (
          <p class="bar warning" role="alert">
            {note}
          </p>
        ) : null}
        {chosen.length > 0 ? (
          <ul class="chosen" aria-label={texts.chosen}>
            {chosen.map((one) => (
              <ChosenFile one={one} texts={texts} onRetry={() => retry(one)} onRemove={() => remove(one)} />
            ))}
          </ul>
        ) : null}
      </>,
    )
    drawIn(
      buttons,
      <>
        {matchMedia('(pointer: coarse)').matches ? (
          <Add icon="camera" label={texts.camera} accept="image/*" isCamera onFiles={add} />
        ) : null}
        <Add icon="clip" label={texts.attach} accept={onlyPictures ? PICTURES : ''} onFiles={add} />
      </>,
    )
  }
}

function ChosenFile(props: { one: Chosen; texts: FileTexts; onRetry: () => void; onRemove: () => void }) {
  const { one, texts, onRetry, onRemove } = props
  const { key, file, sent, stored, failure } = one
  const { name } = file
  const failed = failure && whyNot(failure, name, texts)
  return (
    <li key={key} class={failed ? 'failed' : ''}>
      {isPicture(file) ? (
        <span
          class="thumb"
          ref={(place) =>
            canvasOf(file).then(
              (canvas) => place.replaceChildren(canvas),
              () => {},
            )
          }
        />
      ) : (
        <span class="thumb">
          <Drawn icon="clip" />
        </span>
      )}
      <span class="about">
        <bdi title={name}>{failed || name}</bdi>
        {stored || failed ? null : (
          <progress max={1} value={sent} aria-label={fill(texts.uploading, { name })} />
        )}
      </span>
      {failure && !failure.refused ? <Press icon="again" label={texts.again} onClick={onRetry} /> : null}
      <Press icon="remove" label={fill(texts.remove, { name })} onClick={onRemove} />
    </li>
  )
}

/** Tells whether the service will never take a file. */
function isRefused({ failure }: Chosen): boolean {
  return failure?.refused === true
}

/** Returns the reason why a file was not uploaded, in the visitor's language. */
function whyNot({ refused, message }: UploadFailure, name: string, texts: FileTexts): string {
  return fill(texts[refused ? refusalOf(message) : 'notUploaded'], { name })
}

function Drawn({ icon }: { icon: keyof typeof outlines }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={outlines[icon]} />
    </svg>
  )
}

function Press(props: { icon: keyof typeof outlines; label: string; onClick: () => void }) {
  const { icon, label, onClick } = props
  return (
    <button type="button" class="icon" aria-label={label} title={label} onClick={onClick}>
      <Drawn icon={icon} />
    </button>
  )
}

/** A button that chooses files. @param props.isCamera true to take a picture with the camera at once */
function Add(props: {
  icon: keyof typeof outlines
  label: string
  accept: string
  isCamera?: boolean
  onFiles: (files: readonly File[]) => void
}) {
  const { icon, label, accept, isCamera = false, onFiles } = props
  return (
    <label key={icon} class="icon add" title={label}>
      <Drawn icon={icon} />
      <input
        type="file"
        class="hidden"
        aria-label={label}
        accept={accept}
        multiple={!isCamera}
        capture={isCamera ? 'environment' : null}
        onChange={(event: Event) => {
          const field = event.currentTarget as HTMLInputElement
          onFiles([...(field.files ?? [])])
          // The same file can then be chosen again.
          field.value = ''
        }}
      />
    </label>
  )
}
