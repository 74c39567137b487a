import type { OwnTexts } from '../launcher/settings.ts'
import type { Chat } from './chat.ts'
import { Entry, Said, Speaker } from './Entry.tsx'
import { latePartsOf } from './late-parts-of.ts'
import { Markdown } from './Markdown.tsx'
import type { Message } from './protocol.ts'
import { type ChatState, isAgentPaused, type Outgoing, personIn } from './state.ts'
import { fill, type Texts } from './texts.ts'

interface Properties {
  chat: Chat
  texts: Texts
  own: OwnTexts
}

/** The messages, from the greeting to the newest. */
export function Thread({ chat, texts, own }: Properties) {
  const { messages, outgoing, conversation, writes, hasEarlier, unanswered } = chat.state
  const { source, form, thanked } = chat.state
  const shown = messages.filter((message) => !outgoing.some((item) => isOf(item, message)))
  let day = ''
  const DayLine = ({ at }: { at: string }) => {
    const next = texts.day(at)
    if (next === day) return null
    day = next
    return (
      <p class="happening" key={day}>
        {day}
      </p>
    )
  }
  const isEmpty = shown.length === 0 && outgoing.length === 0
  return (
    <>
      {hasEarlier ? (
        <button type="button" class="button quiet" onClick={chat.showEarlier}>
          {texts.earlier}
        </button>
      ) : (
        <Greeting own={own} texts={texts} state={chat.state} />
      )}
      {isEmpty && !conversation?.ended_at ? (
        <div class="suggestions">
          {own.suggestions.slice(0, 3).map((text) => (
            <button type="button" class="suggestion" dir="auto" key={text} onClick={() => chat.send(text)}>
              {text}
            </button>
          ))}
        </div>
      ) : null}
      {shown.map((message) => {
        const id = message.completion_id
        return [
          <DayLine at={message.created_at} />,
          <Entry
            message={message}
            chat={chat}
            texts={texts}
            source={source?.completionId === id ? source.number : null}
            form={form?.completionId === id ? form.kind : null}
            isThanked={id !== null && thanked.includes(id)}
          />,
          message.role === 'user' && id && unanswered.includes(id) ? (
            <div class="trouble" role="alert">
              <p>{texts.noAnswer}</p>
              <button type="button" class="button quiet" onClick={() => chat.send(message.content)}>
                {texts.askAgain}
              </button>
            </div>
          ) : null,
        ]
      })}
      {conversation?.offers_person ? (
        <button type="button" class="button" onClick={chat.askForPerson}>
          {texts.askPerson}
        </button>
      ) : null}
      {outgoing.map((item) => [<DayLine at={item.at} />, <Sent item={item} chat={chat} texts={texts} />])}
      {writes === null ? null : (
        <Dots label={fill(texts.isTyping, { name: writes || texts.person })} isWritten />
      )}
      {conversation?.ended_at && outgoing.length === 0 && latePartsOf(chat, texts)?.ended(chat)}
    </>
  )
}

function Greeting({ own, texts, state }: { own: OwnTexts; texts: Texts; state: ChatState }) {
  const { conversation } = state
  // Nobody answers in an ended conversation, and one that a person has taken over already shows who answers.
  const isKnown = conversation?.ended_at || personIn(state)
  const notice = own.notice ?? (isKnown ? '' : isAgentPaused(state) ? texts.personWill : texts.notice)
  return (
    <div class="greeting">
      <Markdown text={own.greeting ?? texts.greeting} />
      {notice ? (
        <p class="notice" dir="auto">
          {notice}
        </p>
      ) : null}
    </div>
  )
}

/** A message that the service has not confirmed yet, and the part of its answer that has come. */
function Sent({ item, chat, texts }: { item: Outgoing; chat: Chat; texts: Texts }) {
  const { state, text, files: attachments = null, answer, completionId } = item
  const files = chat.filesOf({ conversation_id: '', attachments })
  const { isOffline, busyUntil } = chat.state
  const isLate = state === 'waiting' && completionId === null && (isOffline || busyUntil !== null)
  const isAnswering = completionId !== null && !isAgentPaused(chat.state)
  return (
    <>
      <Said
        id={item.id}
        by={texts.you}
        text={text}
        files={files}
        time={isLate ? texts.waiting : texts.time(item.at)}
      />
      {answer ? (
        <div class="entry assistant">
          <Speaker icon="agent" name={texts.agent} />
          <Markdown text={answer} />
        </div>
      ) : null}
      {isAnswering && !answer ? <Dots label={texts.answering} /> : null}
    </>
  )
}

/** The dots that say that somebody is writing. @param props.isWritten true if the words are shown too */
function Dots({ label, isWritten = false }: { label: string; isWritten?: boolean }) {
  return (
    <p class="dots">
      <i />
      <i />
      <i />
      <span class={isWritten ? undefined : 'hidden'} dir="auto">
        {label}
      </span>
    </p>
  )
}

/** Tells whether a stored message is the one that is being sent. */
function isOf(item: Outgoing, { role, completion_id, content, id }: Message): boolean {
  if (role === 'operator') return false
  if (item.completionId !== null) return completion_id === item.completionId
  return role === 'user' && id > item.since && content === item.text
}
