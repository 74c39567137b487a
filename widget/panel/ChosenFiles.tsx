import { canvasOf } from './draw-picture.ts'
import { type FileTexts, refusalOf } from './file-texts.ts'
import { fill } from './texts.ts'
import type { UploadFailure } from './upload-file.ts'
import type { Chosen } from './upload-queue.ts'

/** Outlines in a square of 24 units. */
const outlines = {
  clip: 'M15 7l-6.5 6.5a1.5 1.5 0 0 0 3 3l6.5 -6.5a3 3 0 0 0 -6 -6l-6.5 6.5a4.5 4.5 0 0 0 9 9l6.5 -6.5',
  camera:
    'M5 7h1a2 2 0 0 0 2 -2a1 1 0 0 1 1 -1h6a1 1 0 0 1 1 1a2 2 0 0 0 2 2h1a2 2 0 0 1 2 2v9a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-9a2 2 0 0 1 2 -2 M9 13a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  again: 'M20 11a8 8 0 0 0 -15.5 -2m-.5 -4v4h4 M4 13a8 8 0 0 0 15.5 2m.5 4v-4h-4',
  remove: 'M18 6l-12 12 M6 6l12 12',
}

/** The types of pictures that the service takes. */
const PICTURES = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

interface ChosenFilesProps {
  chosen: readonly Chosen[]
  /** Says why a file or the message was not taken; empty: nothing to say. */
  note: string
  texts: FileTexts
  onRetry: (one: Chosen) => void
  onRemove: (one: Chosen) => void
}

/** The files of the next message, each with its progress. */
export function ChosenFiles({ chosen, note, texts, onRetry, onRemove }: ChosenFilesProps) {
  return (
    <>
      {note ? (
        <p class="bar warning" role="alert">
          {note}
        </p>
      ) : null}
      {chosen.length > 0 ? (
        <ul class="chosen" aria-label={texts.chosen}>
          {chosen.map((one) => (
            <ChosenFile one={one} texts={texts} onRetry={() => onRetry(one)} onRemove={() => onRemove(one)} />
          ))}
        </ul>
      ) : null}
    </>
  )
}

/** The buttons that choose files; on a phone also one that takes a picture. */
export function AddButtons(props: {
  texts: FileTexts
  onlyPictures: boolean
  onFiles: (files: readonly File[]) => void
}) {
  const { texts, onlyPictures, onFiles } = props
  return (
    <>
      {matchMedia('(pointer: coarse)').matches ? (
        <Add icon="camera" label={texts.camera} accept="image/*" isCamera onFiles={onFiles} />
      ) : null}
      <Add icon="clip" label={texts.attach} accept={onlyPictures ? PICTURES : ''} onFiles={onFiles} />
    </>
  )
}

/** Tells whether a file is a picture that the service takes. */
export function isPicture({ type }: File): boolean {
  return PICTURES.split(',').includes(type)
}

/** Returns the reason why a file was not uploaded, in the visitor's language. */
export function whyNot({ refused, message }: UploadFailure, name: string, texts: FileTexts): string {
  return fill(texts[refused ? refusalOf(message) : 'notUploaded'], { name })
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
