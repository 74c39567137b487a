import { safeUrl } from '../../browser/read-markdown.ts'
import { AnswerActions } from './AnswerActions.tsx'
import type { Chat } from './chat.ts'
import { Icon } from './icons.tsx'
import { Link, Markdown } from './Markdown.tsx'
import type { Citation, Message } from './protocol.ts'
import { fill, type Texts } from './texts.ts'

interface Properties {
  message: Message
  chat: Chat
  texts: Texts
  /** The number of the source that is unfolded. */
  source: number | null
  form: 'flag' | 'feedback' | null
  isThanked: boolean
}

/** A stored message. */
export function Entry(properties: Properties) {
  const { message, chat, texts } = properties
  const { role, content, author, id, created_at: at } = message
  if (role === 'transition')
    return (
      <p key={id} class="happening" dir="auto">
        {content}
      </p>
    )
  const files = chat.filesOf(message)
  if (role === 'user')
    return <Said id={id} by={texts.you} text={content} files={files} time={texts.time(at)} />
  if (role === 'assistant') return <Answer {...properties} />
  return (
    <div key={id} class="entry operator">
      <Speaker icon="person" name={author ?? texts.person} time={texts.time(at)} />
      <div class="bubble" ref={files}>
        <Markdown text={content} />
      </div>
    </div>
  )
}

/** The visitor's message. @param props.time the time, or why the message waits */
export function Said(props: {
  id: string | number
  by: string
  text: string
  files: (bubble: HTMLElement) => void
  time: string
}) {
  return (
    <div key={props.id} class="entry user">
      <span class="hidden">{props.by}: </span>
      <div class="bubble" ref={props.files}>
        <p dir="auto">{props.text}</p>
      </div>
      <p class="state">{props.time}</p>
    </div>
  )
}

/** The name and icon of the one who speaks. */
export function Speaker(props: { icon: 'person' | 'agent'; name: string; time?: string }) {
  return (
    <p class="speaker">
      <Icon name={props.icon} />
      <bdi>{props.name}</bdi>
      <time>{props.time}</time>
    </p>
  )
}

function Answer(properties: Properties) {
  const { message, chat, texts, source } = properties
  const { completion_id: id, completion } = message
  const citations = completion?.citations ?? []
  const unfold = (number: number, url: string | null) => {
    const isOpen = source === number
    chat.set({ source: isOpen || !id ? null : { completionId: id, number } })
    if (!isOpen) chat.clicked(id, 'attribution', url ?? citations[number - 1]?.title ?? '')
  }
  const sourceButton = (number: number, isNamed: boolean) => {
    const citation = citations[number - 1]
    if (!citation) return null
    return (
      <button
        type="button"
        class="source"
        aria-expanded={source === number}
        aria-label={fill(texts.source, { number, title: citation.title })}
        title={citation.title}
        onClick={() => unfold(number, citation.url)}
      >
        {number}
        {isNamed ? <bdi>{citation.title}</bdi> : null}
      </button>
    )
  }
  const unfolded = source === null ? undefined : citations[source - 1]
  return (
    <div key={message.id} class="entry assistant">
      <Speaker icon="agent" name={texts.agent} time={texts.time(message.created_at)} />
      <Markdown
        text={message.content}
        onLeave={(url) => chat.clicked(id, 'referral', url)}
        source={(number) => sourceButton(number, false)}
      />
      {citations.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div class="sources" role="group" aria-label={texts.sources}>
          {citations.map((_, index) => sourceButton(index + 1, true))}
        </div>
      ) : null}
      {unfolded ? <Passage citation={unfolded} texts={texts} /> : null}
      {completion?.ctas.map((cta) => (
        <div class="cta" key={cta.id}>
          <Markdown text={cta.content} onLeave={(url) => chat.clicked(id, 'referral', url)} />
          {cta.url && safeUrl(cta.url) ? (
            <Link class="button" url={cta.url} onLeave={() => chat.clicked(id, 'cta', String(cta.id))}>
              <bdi>{cta.button || cta.name}</bdi>
            </Link>
          ) : null}
        </div>
      ))}
      <AnswerActions {...properties} />
    </div>
  )
}

function Passage({ citation: { title, url, snippet }, texts }: { citation: Citation; texts: Texts }) {
  return (
    <blockquote class="passage">
      <strong dir="auto">{title}</strong>
      <p dir="auto">{snippet}</p>
      {url && safeUrl(url) ? <Link url={url}>{texts.openPage}</Link> : null}
    </blockquote>
  )
}
