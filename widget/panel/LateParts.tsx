import { adopterOf } from './adopt-sheet.ts'
import type { Chat } from './chat.ts'
import { focus } from './focus.ts'
import css from './late-parts.css?inline'
import { type LateTexts, loadLateTexts } from './late-texts.ts'
import type { Message } from './protocol.ts'
import type { Closed } from './state.ts'
import { fill, type Texts } from './texts.ts'

const STARS = [1, 2, 3, 4, 5]
const STAR = 'M12 18l-6 3l1-7l-5-5l7-1l3-6l3 6l7 1l-5 5l1 7z'
const adopt = adopterOf(css)

type AllTexts = Texts & LateTexts

export type LateParts = Awaited<ReturnType<typeof loadLateParts>>

/** Returns the parts of a chat that come late in a conversation, if at all, in the language of the chat's texts. */
export async function loadLateParts(shown: Texts) {
  const texts = { ...shown, ...(await loadLateTexts(shown.language)) }
  return {
    answerForm: (chat: Chat, message: Message, kind: AnswerFormKind) => (
      <AnswerForm chat={chat} message={message} kind={kind} texts={texts} />
    ),
    ended: (chat: Chat) => <Ended chat={chat} texts={texts} />,
    closed: (reason: Closed) => (
      <p class="happening closed" role="alert" ref={adoptAround}>
        {texts[reason]}
      </p>
    ),
  }
}

type AnswerFormKind = 'flag' | 'feedback'

/** The form in which a visitor says what is wrong with an answer. */
function AnswerForm(props: { chat: Chat; message: Message; kind: AnswerFormKind; texts: AllTexts }) {
  const { chat, message, kind, texts } = props
  return (
    <TextForm
      label={kind === 'flag' ? texts.flagReason : texts.feedback}
      texts={texts}
      onSend={(text) => chat.report(message, kind, text)}
      onCancel={() => chat.set({ form: null })}
    />
  )
}

/** The end of a conversation: its rating, and a button for a new one. */
function Ended({ chat, texts }: { chat: Chat; texts: AllTexts }) {
  const { stars, hasCommented } = chat.state
  return (
    <div class="ended" ref={adoptAround}>
      <p class="happening">{texts.ended}</p>
      <fieldset class="stars">
        <legend>{texts.rate}</legend>
        {STARS.map((count) => (
          <label key={count} class={count <= (stars ?? 0) ? 'star on' : 'star'}>
            <input
              type="radio"
              name="stars"
              checked={stars === count}
              aria-label={fill(texts.stars, { count })}
              onChange={() => chat.rate(count, '')}
            />
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={STAR} />
            </svg>
          </label>
        ))}
      </fieldset>
      {hasCommented ? (
        <p role="status">{texts.thanks}</p>
      ) : stars === null ? null : (
        <TextForm label={texts.comment} texts={texts} onSend={(comment) => chat.rate(stars, comment)} />
      )}
      <button type="button" class="button" onClick={chat.startAnew}>
        {texts.new}
      </button>
    </div>
  )
}

/** A small form that asks for a short text. */
function TextForm(props: {
  label: string
  texts: AllTexts
  onSend: (text: string) => void
  onCancel?: () => void
}) {
  const { label, texts, onSend, onCancel } = props
  return (
    <form
      class="card"
      ref={adoptAround}
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

/** Gives the chat around an element the styles of these parts. */
function adoptAround(element: HTMLElement): void {
  adopt(element.getRootNode() as ShadowRoot)
}
