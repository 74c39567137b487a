import { ParleyChat } from './parley-chat.ts'
import { provideParley } from './provide-parley.ts'

// A page may name the script twice, or both name and import it.
if (!customElements.get('parley-chat')) {
  customElements.define('parley-chat', ParleyChat)
  const script = document.currentScript
  provideParley(script?.dataset.key === undefined ? null : chatOf(script))
}

/** The chat of a `<script data-key>`: what its attributes say holds for the element. */
function chatOf(script: HTMLOrSVGScriptElement): HTMLElement {
  const chat = document.createElement('parley-chat')
  Object.assign(chat.dataset, script.dataset)
  if (document.body) document.body.append(chat)
  else addEventListener('DOMContentLoaded', () => document.body.append(chat))
  return chat
}
