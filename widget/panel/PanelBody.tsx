import { safeUrl } from '../../browser/read-markdown.ts'
import type { OwnTexts } from '../launcher/settings.ts'
import type { Chat } from './chat.ts'
import { focus } from './focus.ts'
import { IconButton } from './icons.tsx'
import type { Place } from './keep-place.ts'
import { latePartsOf } from './late-parts-of.ts'
import { Link } from './Markdown.tsx'
import { currentOf, isPersonAwaited, personIn } from './state.ts'
import { Thread } from './Thread.tsx'
import { fill, type Texts } from './texts.ts'

export interface PanelProperties {
  chat: Chat
  texts: Texts
  /** The operator's texts, once they are known. */
  own: OwnTexts | null
}

/** The button beside the title that asks to end the conversation. */
export function HeaderActions({ chat, texts }: PanelProperties) {
  const { messages, outgoing } = chat.state
  if (!currentOf(chat.state) || messages.length + outgoing.length === 0) return null
  return (
    <IconButton
      icon="anew"
      label={texts.end}
      class="icon mirrored"
      onClick={() => chat.set({ question: 'end' })}
    />
  )
}

/** Everything between the title and the input. */
export function PanelBody({ chat, texts, own, place }: PanelProperties & { place: Place }) {
  const { closed, announcement } = chat.state
  return (
    <>
      <div
        class="thread"
        role="log"
        aria-live="off"
        aria-label={texts.messages}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
        tabIndex={0}
        ref={place.hold}
      >
        {closed
          ? latePartsOf(chat, texts)?.closed(closed)
          : own && <Thread chat={chat} texts={texts} own={own} />}
      </div>
      {place.isAway ? (
        <IconButton icon="down" label={texts.newest} class="icon newest" onClick={place.toEnd} />
      ) : null}
      <Bar chat={chat} texts={texts} />
      <p class="hidden" role="status">
        {announcement}
      </p>
    </>
  )
}

/** The bar above the input, which shows one thing at a time: a question, or a problem. */
function Bar({ chat, texts }: { chat: Chat; texts: Texts }) {
  const { question, isOffline, busyUntil, hasFailed, closed } = chat.state
  if (closed) return null
  if (question)
    return (
      <div class="bar">
        <p>{question === 'person' ? texts.askPersonText : texts.endText}</p>
        <div class="buttons">
          {question === 'person' ? (
            <button type="button" class="button" ref={focus} onClick={chat.askForPerson}>
              {texts.askPerson}
            </button>
          ) : (
            <>
              <button type="button" class="button" ref={focus} onClick={chat.end}>
                {texts.endIt}
              </button>
              <button type="button" class="button quiet" onClick={chat.startAnew}>
                {texts.startAnew}
              </button>
            </>
          )}
          <button type="button" class="button quiet" onClick={() => chat.set({ question: null })}>
            {texts.cancel}
          </button>
        </div>
      </div>
    )
  // Screen readers were told the time, and skip the countdown, because they would never stop reading it.
  if (busyUntil !== null)
    return (
      <p class="bar" aria-hidden="true">
        {fill(texts.busy, { seconds: Math.max(1, Math.ceil((busyUntil - Date.now()) / 1000)) })}
      </p>
    )
  const isAwaited = currentOf(chat.state) && isPersonAwaited(chat.state)
  const text = isOffline ? texts.offline : hasFailed ? texts.failed : isAwaited && texts.willAnswer
  return text ? (
    <p class="bar warning" role={text === texts.failed ? 'alert' : 'status'}>
      {text}
    </p>
  ) : null
}

/** Returns the line below the title that says who answers. */
export function statusOf({ state }: Chat, texts: Texts): string {
  const person = personIn(state)
  if (person) return fill(texts.personAnswers, { name: person.author ?? texts.person })
  if (!isPersonAwaited(state)) return texts.agentAnswers
  return state.conversation?.ended_at ? '' : texts.personWill
}

/** The part below the input: the way to a person, and the operator's own line. */
export function Footer(properties: PanelProperties) {
  const { chat, texts, own } = properties
  return (
    <>
      {!own || chat.state.closed || currentOf(chat.state)?.agent_paused ? null : (
        <button type="button" onClick={() => chat.set({ question: 'person' })}>
          {texts.askPerson}
        </button>
      )}
      <OwnFooter {...properties} />
    </>
  )
}

function OwnFooter({ chat, own }: PanelProperties) {
  const { messages } = chat.state
  const { footer, footer_url } = own ?? {}
  if (!footer) return null
  const url = footer_url ? safeUrl(footer_url) : null
  if (!url) return <p dir="auto">{footer}</p>
  const named = messages.findLast(({ completion_id }) => completion_id)?.completion_id ?? null
  return (
    <p dir="auto">
      <Link url={url} onLeave={() => chat.clicked(named, 'footer', url)}>
        {footer}
      </Link>
    </p>
  )
}
