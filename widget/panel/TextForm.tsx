import type { Texts } from './texts.ts'

/** A small form that asks for a short text. */
export function TextForm(props: {
  label: string
  texts: Texts
  onSend: (text: string) => void
  onCancel?: () => void
}) {
  const { label, texts, onSend, onCancel } = props
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        const text = String(new FormData(event.currentTarget).get('text')).trim()
        if (text !== '') onSend(text)
      }}
    >
      <label>
        {label}
        <textarea name="text" rows={2} maxLength={10_000} dir="auto" ref={onCancel && focus} />
      </label>
      <div class="buttons">
        <button type="submit" class="button">
          {texts.sendIt}
        </button>
        {onCancel ? (
          <button type="button" class="button quiet" onClick={onCancel}>
            {texts.cancel}
          </button>
        ) : null}
      </div>
    </form>
  )
}

/** Focuses an element that has just appeared, and scrolls its form into view. */
export function focus(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  const whole = element.closest('form') ?? element
  whole.scrollIntoView({ block: 'nearest' })
}
