import { draw } from '../draw/draw.ts'
import type { Frame } from '../launcher/frame.ts'
import type { Place } from './keep-place.ts'
import { Footer, HeaderActions, PanelBody, type PanelProperties, statusOf } from './PanelBody.tsx'

/** Draws all that a chat's state says into its frame. */
export function drawPanel(frame: Frame, place: Place, hint: string, properties: PanelProperties): void {
  const { chat, texts, own } = properties
  const { session, closed } = chat.state
  const hadFocus = frame.root.activeElement !== null
  draw(frame.actions, <HeaderActions {...properties} />)
  draw(frame.body, <PanelBody {...properties} place={place} />)
  draw(frame.footer, <Footer {...properties} />)
  if (session || closed) frame.status.textContent = closed ? '' : statusOf(chat, texts)
  frame.input.disabled = closed !== null
  frame.input.placeholder = own?.placeholder || hint
  // The focused element is gone. On a phone, focusing the input would bring up the keyboard.
  if (hadFocus && !frame.root.activeElement) {
    const isTouched = matchMedia('(pointer: coarse)').matches
    ;(isTouched ? frame.close : frame.input).focus({ preventScroll: true })
  }
}
