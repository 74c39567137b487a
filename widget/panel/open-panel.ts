import type { Panel, PanelOptions } from '../launcher/panel.ts'
import type { KnownUser } from '../launcher/settings.ts'
import { adopterOf } from './adopt-sheet.ts'
import { openChat } from './chat.ts'
import { coverPage } from './cover-page.ts'
import { drawPanel } from './draw-panel.tsx'
import { fitToKeyboard } from './fit-to-keyboard.ts'
import { keepChat } from './keep-chat.ts'
import { keepDraft } from './keep-draft.ts'
import { keepPlace } from './keep-place.ts'
import { keepTexts } from './keep-texts.ts'
import css from './panel.css?inline'
import type { Message } from './protocol.ts'
import { fill } from './texts.ts'
import { wearWidget } from './wear-widget.ts'

const adopt = adopterOf(css)

/** Fills the frame that the launcher has opened, and keeps it up to date. */
export function openPanel(options: PanelOptions): Panel {
  const { frame, key, storage, emit } = options
  const life = new AbortController()
  const { signal } = life
  let { preview } = options
  const loaded = () => {
    void widget.extras?.translate()
    draw()
  }
  const texts = keepTexts(options.language, loaded, signal)
  const place = keepPlace(draw)
  const { chat, identify, logout } = keepChat(options.user, openChatOf, () => {
    draft.drop()
    widget.extras?.clear()
    frame.unread = 0
    draw()
  })
  const draft = keepDraft(frame.input, storage, chat, life)
  const language = () => texts.language.shown
  const widget = wearWidget({ frame, storage, chat, language, announce, life: signal }, options.onLook)

  adopt(frame.root)
  fitToKeyboard(frame.panel, life)
  const cover = frame.launcher && coverPage(frame, life)
  cover?.()
  frame.panel.addEventListener('keydown', leave, { capture: true, signal })
  const ticking = setInterval(() => chat().state.busyUntil !== null && draw(), 1000)

  return {
    shown(isShown) {
      cover?.()
      if (!isShown) return
      if (chat().state.closed) void chat().refresh()
      draw()
    },
    send(text, id) {
      draft.drop()
      chat().keepDraft('')
      place.toEnd()
      chat().send(text, undefined, id)
    },
    identify,
    logout,
    language(next) {
      if (texts.change(next)) void chat().refresh()
    },
    preview(next) {
      preview = next
      draw()
    },
    disconnect() {
      chat().stop()
      clearInterval(ticking)
      life.abort()
    },
  }

  function openChatOf(user: KnownUser | null) {
    return openChat({
      service: new URL('/', import.meta.url).origin,
      key,
      storage,
      user,
      language: () => texts.language,
      changed: draw,
      answered,
      refused(text) {
        frame.input.value = [text, frame.input.value].filter(Boolean).join('\n')
        draft.keep()
      },
      say: (text, seconds = 0) => texts.shown && announce(fill(texts.shown[text], { seconds })),
    })
  }

  function draw(): void {
    const { session } = chat().state
    if (!texts.shown) return
    if (session) widget.wear(session)
    if (!frame.panel.hidden) chat().saw()
    const own = session && { ...session.widget.texts, ...preview?.texts }
    drawPanel(frame, place, texts.language.texts.placeholder, { chat: chat(), texts: texts.shown, own })
    widget.extras?.drawn()
    place.settle()
  }

  /** Closes an open form or question on Escape, before Escape closes the chat. */
  function leave(event: KeyboardEvent): void {
    const { form, question } = chat().state
    if (event.key !== 'Escape' || (!form && !question)) return
    event.stopPropagation()
    chat().set({ form: null, question: null })
  }

  function answered({ role, author, content }: Message): void {
    if (!texts.shown) return
    const name = role === 'operator' ? (author ?? texts.shown.person) : texts.shown.agent
    announce(`${name}: ${content}`)
    if (frame.panel.hidden) frame.unread++
    emit('message', { role, author, content })
  }

  function announce(announcement: string): void {
    chat().set({ announcement })
  }
}
