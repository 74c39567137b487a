import type { ParleyChat } from './parley-chat.ts'
import type { ChatEvent, KnownUser } from './settings.ts'

type Call = [name: string, ...values: unknown[]]

/**
 * Makes the global `Parley`. A page may call it before this script has loaded:
 * `(window.Parley ||= []).push(['identify', { id, name, hash }])`.
 * @param own the chat that this script's own tag asks for; null if the tag has no key
 */
export function provideParley(own: HTMLElement | null): void {
  const chat = () => (own ?? document.querySelector('parley-chat')) as ParleyChat | null
  const Parley = {
    open: () => chat()?.open(),
    close: () => chat()?.close(),
    identify: (user: KnownUser) => chat()?.identify(user),
    logout: () => chat()?.logout(),
    ask: (text: string) => chat()?.ask(text),
    on: (event: ChatEvent, listener: (detail: unknown) => void) => chat()?.on(event, listener),
    push(...calls: Call[]) {
      for (const [name, ...values] of calls) {
        const method: unknown = Reflect.get(Parley, name)
        if (typeof method === 'function') method(...values)
      }
    },
  }
  const early: unknown = Reflect.get(window, 'Parley')
  Object.assign(window, { Parley })
  const run = () => Array.isArray(early) && Parley.push(...early)
  // Until the page is parsed, there may be no element to take a call.
  if (chat()?.isConnected) run()
  else addEventListener('DOMContentLoaded', run, { once: true })
}
