import { newId } from '../../browser/new-id.ts'
import { buildFrame, type Frame, fit, make } from './frame.ts'
import { languageOf } from './language.ts'
import type { Panel, PanelScript } from './panel.ts'
import type { ChatEvent, KnownUser, Look, Preview } from './settings.ts'
import { type Storage, storageOf } from './storage.ts'

/** The path of the panel's code, relative to this script; the build sets it. */
declare const PANEL: string

/** The element by which a classic script learns its address, while it starts; a module knows its own. */
const script = document.currentScript
const panel = script instanceof HTMLScriptElement ? new URL(PANEL, script.src).href : PANEL
/** The module that loads the panel under its present name: an upgrade may have come since this page was loaded. */
const present = panel.replace(/assets\/[^/]*$/, 'panel.js')

const LONGEST_PAUSE_MS = 30_000

/**
 * The element `<parley-chat key="parley_widget_…">`: a launcher, and the chat that it opens. With the attribute
 * `inline` the chat is part of the page, always open. Until it is first opened, it requests nothing and stores nothing.
 */
export class ParleyChat extends HTMLElement {
  static readonly observedAttributes = [
    'lang',
    'data-color',
    'data-position',
    'data-title',
    'data-label',
    'data-scheme',
  ]

  #frame: Frame | null = null
  #panel: Panel | null = null
  #isOpening = false
  /** The look that the service sets; it overrides the page's attributes. */
  #look: Look = {}
  #user: KnownUser | null = null
  #preview: Preview | null = null
  /** Messages sent before the panel's code has loaded. */
  #early: { id: string; text: string }[] = []
  readonly #listeners = new Map<ChatEvent, Set<(detail: unknown) => void>>()
  readonly #watch = new MutationObserver(() => this.#show())

  get isInline(): boolean {
    return this.hasAttribute('inline')
  }

  get #storage(): Storage {
    return storageOf(this.widgetKey)
  }

  get widgetKey(): string {
    // React reserves `key`, so `data-key` works too.
    return this.getAttribute('key') ?? this.dataset.key ?? ''
  }

  /** Lays settings over the saved ones until they are saved; null removes them. */
  set preview(preview: Preview | null) {
    this.#preview = preview
    this.#show()
    this.#panel?.preview(preview)
  }

  connectedCallback(): void {
    this.#watch.observe(document.documentElement, { attributeFilter: ['lang', 'dir'] })
    this.#frame ??= this.#build()
    this.#show()
    if (!this.isInline) this.#frame.all.showPopover?.()
    if (!this.#frame.panel.hidden) this.#prepare()
    // On a phone (see frame.css) an open chat would hide the page that the visitor has just gone to.
    else if (this.#storage.isOpen() && innerWidth > 540 && innerHeight > 420) this.#reveal()
    else void this.#lookForNews()
  }

  disconnectedCallback(): void {
    this.#watch.disconnect()
    this.#panel?.disconnect()
    this.#panel = null
    this.#isOpening = false
  }

  attributeChangedCallback(): void {
    this.#show()
  }

  /** Opens the chat and focuses its input; an open chat stays open. */
  open(): void {
    const frame = this.#reveal()
    if (!frame) return
    this.#storage.keepOpen(true)
    frame.input.focus({ preventScroll: true })
    this.emit('open')
  }

  /** Shows the panel. @returns the frame, or null if it was open already */
  #reveal(): Frame | null {
    const frame = this.#frame
    if (!frame?.launcher || !frame.panel.hidden) return null
    frame.panel.hidden = false
    frame.launcher.hidden = true
    frame.unread = 0
    this.#prepare()
    this.#panel?.shown(true)
    return frame
  }

  /** Shows on the launcher the number of messages that came while the visitor was away. */
  async #lookForNews(): Promise<void> {
    const { token, seen } = this.#storage.read()
    if (!token || !seen) return
    try {
      const url = new URL(`/widget/v1/${this.widgetKey}/messages?after=${seen}`, panel)
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      if (!answer.ok) return
      const { data } = (await answer.json()) as { data: { role: string }[] }
      const frame = this.#frame
      if (frame?.panel.hidden) frame.unread = data.filter(({ role }) => role !== 'user').length
    } catch {
      // Without the network, or the address of this script, the count stays as it is.
    }
  }

  /** Closes the chat, and gives the focus back to the launcher if the chat had it. */
  close(): void {
    const frame = this.#frame
    if (!frame?.launcher || frame.panel.hidden) return
    const hadFocus = frame.root.activeElement !== null
    frame.panel.hidden = true
    frame.launcher.hidden = false
    this.#storage.keepOpen(false)
    if (hadFocus) frame.launcher.focus({ preventScroll: true })
    this.#panel?.shown(false)
    this.emit('close')
  }

  /** Tells the chat who the visitor is. The identity is sent when the chat is open. */
  identify(user: KnownUser): void {
    this.#user = user
    this.#panel?.identify(user)
  }

  /** Forgets the visitor and everything that this browser keeps about them. */
  logout(): void {
    this.#user = null
    if (this.#frame) {
      this.#frame.input.value = ''
      this.#frame.unread = 0
    }
    if (this.#panel) this.#panel.logout()
    else {
      this.#storage.forget()
      this.#early = []
      this.#frame?.body.replaceChildren()
    }
  }

  /** Opens the chat and sends a message in the visitor's name. */
  ask(text: string): void {
    this.open()
    this.#send(text)
  }

  on(event: ChatEvent, listener: (detail: unknown) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  emit(event: ChatEvent, detail?: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(detail)
  }

  #build(): Frame {
    const frame = buildFrame(this.attachShadow({ mode: 'open' }), this.isInline)
    frame.launcher?.addEventListener('click', () => this.open())
    frame.close.addEventListener('click', () => this.close())
    frame.panel.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing) return
      // The page would take the key as its own.
      event.stopPropagation()
      this.close()
    })
    frame.form.addEventListener('submit', (event) => {
      event.preventDefault()
      const text = frame.input.value.trim()
      if (text === '') return
      frame.input.value = ''
      fit(frame.input)
      this.#send(text)
    })
    return frame
  }

  #send(text: string): void {
    if (text.trim() === '') return
    if (this.#panel) {
      this.#panel.send(text)
      return
    }
    const message = { id: newId(), text }
    this.#early.push(message)
    // A browser without storage loses them with the page.
    const { waiting = [] } = this.#storage.read()
    this.#storage.keep({ waiting: [...waiting, message], draft: this.#frame?.input.value ?? '' })
    this.#frame?.body.append(make('p', { className: 'early', dir: 'auto' }, text))
  }

  #show(): void {
    this.#frame?.show(languageOf(this), this.#lookNow())
    this.#panel?.language(languageOf(this))
  }

  #lookNow(): Look {
    const { color, position, title, label, scheme } = this.dataset
    return { color, position, title, launcher: label, scheme, ...this.#look, ...this.#preview?.look }
  }

  /** Restores the kept draft at once, and loads the panel's code behind the open frame. */
  #prepare(): void {
    const frame = this.#frame
    if (!frame || this.#panel || this.#isOpening) return
    this.#isOpening = true
    const { draft } = this.#storage.read()
    if (draft && frame.input.value === '') frame.input.value = draft
    fit(frame.input)
    frame.status.textContent = '…'
    void this.#load(frame)
  }

  async #load(frame: Frame): Promise<void> {
    const { openPanel } = await importPanel()
    frame.body.replaceChildren()
    this.#panel = openPanel({
      frame,
      key: this.widgetKey,
      storage: this.#storage,
      language: languageOf(this),
      user: this.#user,
      preview: this.#preview,
      onLook: (look) => {
        this.#look = look
        this.#show()
      },
      emit: (event, detail) => this.emit(event, detail),
    })
    for (const { text, id } of this.#early.splice(0)) this.#panel.send(text, id)
  }
}

/** Tries until the panel is there. Browsers remember that a module failed, so each try has its own address. */
async function importPanel(): Promise<PanelScript> {
  for (let tries = 0; ; tries++) {
    try {
      return await import(/* @vite-ignore */ tries === 0 ? panel : `${present}?${tries}`)
    } catch {
      await pause(Math.min(1000 * 2 ** tries, LONGEST_PAUSE_MS))
    }
  }
}

/** Waits for some time, or until the browser says that the network is back. */
function pause(ms: number): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
    addEventListener('online', resolve, { once: true })
  })
}
