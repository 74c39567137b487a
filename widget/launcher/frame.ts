import { colorsOf } from './colors.ts'
import css from './frame.css?inline'
import { drawIcon } from './icons.ts'
import type { Language } from './language.ts'
import type { Look } from './settings.ts'

/** The parts of a chat that are there at once; the panel's code fills them once it has loaded. */
export interface Frame {
  root: ShadowRoot
  all: HTMLElement
  /** Opens the chat; null in a chat that is part of the page. */
  launcher: HTMLButtonElement | null
  panel: HTMLElement
  avatar: HTMLElement
  title: HTMLElement
  /** The line below the title that says who answers. */
  status: HTMLElement
  actions: HTMLElement
  close: HTMLButtonElement
  body: HTMLElement
  form: HTMLFormElement
  input: HTMLTextAreaElement
  footer: HTMLElement
  show(language: Language, look: Look): void
  /** The number of unread answers, shown beside the launcher. */
  unread: number
}

const LONGEST_PROMPT = 8000

/** Builds a chat's frame, closed. @param isInline true if it is part of the page, always open */
export function buildFrame(root: ShadowRoot, isInline: boolean): Frame {
  const styles = new CSSStyleSheet()
  styles.replaceSync(css)
  root.adoptedStyleSheets = [styles]

  const avatar = make('span', { className: 'avatar', ariaHidden: 'true' })
  const title = make('h2', { id: 'title' })
  const status = make('p', { className: 'status' })
  const names = make('div', { className: 'names' }, title, status)
  const actions = make('div', { className: 'actions' })
  const close = make('button', { type: 'button', className: 'icon', hidden: isInline }, drawIcon('close'))
  const header = make('header', {}, avatar, names, actions, close)
  const body = make('div', { className: 'body' })
  const input = make('textarea', { rows: 1, maxLength: LONGEST_PROMPT, enterKeyHint: 'send', dir: 'auto' })
  const send = make('button', { className: 'send icon' }, drawIcon('send'))
  const form = make('form', { className: 'composer' }, input, send)
  const footer = make('footer', {})
  const role = isInline ? 'region' : 'dialog'
  const panel = make('section', { className: 'panel', hidden: !isInline, role }, header, body, form, footer)
  panel.setAttribute('aria-labelledby', title.id)
  panel.setAttribute('part', 'panel')

  const label = make('span', { className: 'label' })
  // The badge stands beside the launcher, because screen readers do not announce changes inside a button.
  const badge = make('p', { className: 'unread', id: 'unread', role: 'status' })
  const words = make('span', { className: 'hidden' })
  let count = 0
  const launcher = isInline
    ? null
    : make('button', { type: 'button', className: 'launcher', ariaHasPopup: role }, drawIcon('chat'), label)
  launcher?.setAttribute('part', 'launcher')
  launcher?.setAttribute('aria-describedby', badge.id)
  const all = make(
    'div',
    { className: isInline ? 'all inline' : 'all' },
    ...(launcher ? [launcher, badge] : []),
    panel,
  )
  // A popover lies above the whole page, whatever styles the page gives its elements.
  if (launcher) all.popover = 'manual'
  root.append(all)

  badge.onclick = () => launcher?.click()
  form.addEventListener('keydown', sendOnEnter)
  input.addEventListener('input', () => fit(input))
  return {
    root,
    all,
    launcher,
    panel,
    avatar,
    title,
    status,
    actions,
    close,
    body,
    form,
    input,
    footer,
    show,
    get unread() {
      return count
    },
    set unread(next) {
      count = next
      badge.replaceChildren(...(count > 0 ? [words, String(count)] : []))
    },
  }

  function show({ texts, shown, dir }: Language, look: Look): void {
    all.lang = shown
    all.dir = dir
    all.style.colorScheme = look.scheme === 'light' || look.scheme === 'dark' ? look.scheme : 'light dark'
    all.dataset.position = look.position ?? 'right'
    for (const [name, value] of Object.entries(colorsOf(look.color))) all.style.setProperty(name, value)
    title.textContent = look.title || 'Chat'
    label.textContent = look.launcher ?? ''
    if (launcher) launcher.ariaLabel = look.launcher || texts.open
    words.textContent = `${texts.unread} `
    for (const [button, name] of [
      [close, texts.close],
      [send, texts.send],
    ] as const)
      button.title = button.ariaLabel = name
    input.ariaLabel = input.placeholder = texts.placeholder
  }
}

/** Sends on Enter. Shift+Enter begins a line; Enter that ends an input method's composition does neither. */
function sendOnEnter(event: KeyboardEvent): void {
  // Safari ends the composition before this event and marks it only with the key code 229.
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
  if (!(event.target instanceof HTMLTextAreaElement)) return
  event.preventDefault()
  event.target.form?.requestSubmit()
}

/** Lets a field grow with its text, as far as its style sheet allows. */
export function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}
