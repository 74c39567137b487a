import { draw as drawIn } from '../draw/draw.ts'
import type { Frame } from '../launcher/frame.ts'
import type { Language } from '../launcher/language.ts'
import type { ChatEvent, KnownUser, Look, Preview } from '../launcher/settings.ts'
import type { Storage } from '../launcher/storage.ts'
import { adopterOf } from './adopt-sheet.ts'
import { type Chat, openChat } from './chat.ts'
import { coverPage } from './cover-page.ts'
import type { Extra } from './extra.ts'
import { fitToKeyboard } from './fit-to-keyboard.ts'
import { keepPlace } from './keep-place.ts'
import { Footer, HeaderActions, PanelBody, statusOf } from './PanelBody.tsx'
import css from './panel.css?inline'
import type { Message, Session } from './protocol.ts'
import { showAvatar } from './show-avatar.ts'
import { loadTexts, type Texts } from './texts.ts'

export interface PanelOptions {
  frame: Frame
  key: string
  storage: Storage
  language: Language
  user: KnownUser | null
  preview: Preview | null
  onLook: (look: Look) => void
  emit: (event: ChatEvent, detail: unknown) => void
}

/** The interface that the panel offers to the launcher. */
export interface Panel {
  shown(isShown: boolean): void
  send(text: string): void
  identify(user: KnownUser): void
  logout(): void
  language(language: Language): void
  /** Lays unsaved settings over the saved ones. */
  preview(preview: Preview | null): void
  disconnect(): void
}

const DRAFT_MS = 200
const adopt = adopterOf(css)

/** Fills the frame that the launcher has opened, and keeps it up to date. */
export function openPanel({
  frame,
  key,
  storage,
  language: first,
  user: known,
  preview: unsaved,
  onLook,
  emit,
}: PanelOptions): Panel {
  const service = new URL('/', import.meta.url).origin
  let language = first
  let user = known
  let preview = unsaved
  let texts: Texts | null = null
  let look: Look | null = null
  let draftTimer: ReturnType<typeof setTimeout> | undefined
  let extras: Extra | null = null
  const place = keepPlace(draw)
  let chat = begin()

  adopt(frame.root)
  void readTexts()
  const life = new AbortController()
  fitToKeyboard(frame.panel, life)
  const cover = frame.launcher && coverPage(frame, life)
  cover?.()
  frame.input.addEventListener('input', typed, life)
  frame.panel.addEventListener('keydown', leave, { capture: true, signal: life.signal })
  addEventListener('pagehide', keepDraft, life)
  const ticking = setInterval(() => chat.state.busyUntil !== null && draw(), 1000)

  return {
    shown(isShown) {
      cover?.()
      if (!isShown) return
      if (chat.state.closed) void chat.refresh()
      draw()
    },
    send(text) {
      clearTimeout(draftTimer)
      chat.keepDraft('')
      place.toEnd()
      chat.send(text)
    },
    identify(next) {
      if (user?.id === next.id && user.hash === next.hash) return
      user = next
      restart(false)
    },
    logout() {
      user = null
      restart(true)
    },
    language(next) {
      if (next.shown === language.shown && next.wanted === language.wanted) return
      language = next
      void readTexts()
      void chat.refresh()
    },
    preview(next) {
      preview = next
      draw()
    },
    disconnect() {
      chat.stop()
      clearInterval(ticking)
      life.abort()
    },
  }

  function typed(): void {
    chat.typing()
    clearTimeout(draftTimer)
    draftTimer = setTimeout(keepDraft, DRAFT_MS)
  }

  /** Closes an open form or question on Escape, before Escape closes the chat. */
  function leave(event: KeyboardEvent): void {
    const { form, question } = chat.state
    if (event.key !== 'Escape' || (!form && !question)) return
    event.stopPropagation()
    chat.set({ form: null, question: null })
  }

  function begin(): Chat {
    const next = openChat({
      service,
      key,
      storage,
      user,
      language: () => language,
      changed: draw,
      answered,
      refused: (text) => {
        frame.input.value ||= text
        keepDraft()
      },
      begun: () => texts && announce(texts.answering),
    })
    void next.begin()
    return next
  }

  function restart(isForgotten: boolean): void {
    clearTimeout(draftTimer)
    chat.stop(isForgotten)
    extras?.clear()
    frame.unread = 0
    chat = begin()
    draw()
  }

  async function readTexts(): Promise<void> {
    const wanted = language.shown
    const read = await loadTexts(wanted)
    if (wanted !== language.shown) return
    texts = read
    void extras?.translate()
    draw()
  }

  function draw(): void {
    if (!texts) return
    const { session, closed } = chat.state
    if (session && session.widget.look !== look) {
      look = session.widget.look
      onLook(look)
      showAvatar(frame.avatar, look, session.agent.name)
      const { uploads = 'off', mail } = session.widget
      if (mail || uploads !== 'off') void loadExtras(session.widget)
    }
    const hadFocus = frame.root.activeElement !== null
    const own = session && { ...session.widget.texts, ...preview?.texts }
    const shared = { chat, texts, own }
    if (!frame.panel.hidden) chat.saw()
    drawIn(frame.actions, <HeaderActions {...shared} />)
    drawIn(frame.body, <PanelBody {...shared} place={place} />)
    drawIn(frame.footer, <Footer {...shared} />)
    if (session || closed) frame.status.textContent = closed ? '' : statusOf(chat, texts)
    frame.input.disabled = closed !== null
    frame.input.placeholder = own?.placeholder || language.texts.placeholder
    // The focused element is gone. On a phone, focusing the input would bring up the keyboard.
    if (hadFocus && !frame.root.activeElement) {
      const isTouched = matchMedia('(pointer: coarse)').matches
      ;(isTouched ? frame.close : frame.input).focus({ preventScroll: true })
    }
    extras?.drawn()
    place.settle()
  }

  /** Loads what only some widgets have. */
  async function loadExtras(widget: Session['widget']): Promise<void> {
    const { addExtras } = await import('./extras.ts')
    extras ??= addExtras(
      { frame, storage, chat: () => chat, language: () => language.shown, announce, life: life.signal },
      widget,
    )
  }

  function answered({ role, author, content }: Message): void {
    if (!texts) return
    const name = role === 'operator' ? (author ?? texts.person) : texts.agent
    announce(`${name}: ${content}`)
    if (frame.panel.hidden) frame.unread++
    emit('message', { role, author, content })
  }

  function announce(announcement: string): void {
    chat.set({ announcement })
  }

  function keepDraft(): void {
    if (frame.input.value !== (storage.read().draft ?? '')) chat.keepDraft(frame.input.value)
  }
}
