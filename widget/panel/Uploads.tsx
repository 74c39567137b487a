import { filesInWords } from '../../src/redaction/files-of-message.ts'
import { draw as drawIn } from '../draw/draw.ts'
import { adopterOf } from './adopt-sheet.ts'
import { AddButtons, ChosenFiles, isPicture, whyNot } from './ChosenFiles.tsx'
import type { Extra, ExtraOptions } from './extra.ts'
import { type FileTexts, loadFileTexts } from './file-texts.ts'
import { takeGivenFiles } from './given-files.ts'
import { fill } from './texts.ts'
import { type Chosen, isRefused, uploadQueue } from './upload-queue.ts'
import css from './uploads.css?inline'

const adopt = adopterOf(css)
const MOST_FILES = 5
const LARGEST_FILE = 10 * 1024 * 1024
/** The type or the name of a picture that visitors may take for one that can be sent, such as an iPhone's. */
const OTHER_PICTURE = /^image\/|\.hei[cf]$/i

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
  const queue = uploadQueue(chat, sendWhenReady, ({ file }, failure) =>
    announce(whyNot(failure, file.name, texts)),
  )
  let note = ''
  /** True once the visitor wants to send: the message leaves when all files are there. */
  let isSending = false

  // Before the form's own listener, which knows only texts.
  panel.addEventListener('submit', submit, { capture: true, signal: life })
  takeGivenFiles(panel, input, add, life)
  addEventListener('online', queue.retryAll, { signal: life })
  life.addEventListener('abort', () => {
    clear()
    list.remove()
    buttons.remove()
  })
  draw()
  // The chat may have got another language meanwhile.
  void translate()
  return { clear, translate, drawn: () => {} }

  function add(files: readonly File[]): void {
    note = ''
    for (const file of files) {
      const isFull = queue.chosen.filter((one) => !isRefused(one)).length === MOST_FILES
      const fault = faultOf(file, onlyPictures) ?? (isFull ? 'most' : null)
      if (fault) note = fill(texts[fault], { name: file.name })
      else queue.add(file)
    }
    if (note) announce(note)
    draw()
  }

  function submit(event: Event): void {
    note = ''
    if (queue.chosen.length > 0) {
      event.preventDefault()
      event.stopImmediatePropagation()
      isSending = true
      if (!queue.chosen.some(isRefused)) queue.retryAll()
    }
    sendWhenReady()
  }

  function sendWhenReady(): void {
    const { chosen } = queue
    const files = chosen.flatMap(({ stored }) => stored ?? [])
    if (isSending && chosen.some(isRefused)) {
      isSending = false
      note = texts.blocked
      announce(note)
    } else if (isSending && files.length === chosen.length && files.length > 0) {
      const text = input.value.trim() || filesInWords(files.map(({ kind }) => kind))
      isSending = false
      queue.clear()
      input.value = ''
      input.dispatchEvent(new Event('input'))
      chat().keepDraft('')
      chat().send(text, files)
    }
    draw()
  }

  function remove(one: Chosen): void {
    queue.remove(one)
    // With the last file, the wish to send it is gone.
    if (queue.chosen.length === 0) isSending = false
    note = ''
    input.focus({ preventScroll: true })
    sendWhenReady()
  }

  function clear(): void {
    queue.clear()
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
    const { chosen, retry: onRetry } = queue
    drawIn(
      list,
      <ChosenFiles chosen={chosen} note={note} texts={texts} onRetry={onRetry} onRemove={remove} />,
    )
    drawIn(buttons, <AddButtons texts={texts} onlyPictures={onlyPictures} onFiles={add} />)
  }
}

/** Returns the name of the text that says why a file cannot be chosen; null if it can. */
function faultOf(file: File, onlyPictures: boolean): keyof FileTexts | null {
  if (file.size > LARGEST_FILE) return 'tooLarge'
  if (file.size === 0) return 'empty'
  if (!onlyPictures || isPicture(file)) return null
  return OTHER_PICTURE.test(`${file.type} ${file.name}`) ? 'otherPicture' : 'notTaken'
}
