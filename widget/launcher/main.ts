import { ParleyChat } from './parley-chat.ts'
import { provideParley } from './provide-parley.ts'

// A page may include the script twice, or both include and import it.
if (!customElements.get('parley-chat')) {
  customElements.define('parley-chat', ParleyChat)
  const script = document.currentScript
  provideParley(script?.dataset.key === undefined ? null : chatOf(script))
}

/** Makes the chat of a `<script data-key>`: the script's attributes become those of the element. */
function chatOf(script: HTMLOrSVGScriptElement): HTMLElement {
  const chat = document.createElement('parley-chat')
  Object.assign(chat.dataset, script.dataset)
  if (document.body) document.body.append(chat)
  else addEventListener('DOMContentLoaded', () => document.body.append(chat))
  return chat
}
