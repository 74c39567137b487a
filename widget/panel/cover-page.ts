import type { Frame } from '../launcher/frame.ts'

/**
 * Makes a modal dialog of a panel for as long as it fills the screen: the page behind does not scroll, and the focus
 * does not get lost in it.
 * @param life ends it
 * @returns to be called when the panel has opened or closed
 */
export function coverPage({ root, panel, close }: Frame, life: AbortController): () => void {
  const page = document.documentElement
  let covers = false
  let overflow = ''
  let isReturning = false
  addEventListener('resize', look, life)
  life.signal.onabort = look
  document.addEventListener('focusin', bringBack, life)
  return look

  function look(): void {
    const before = covers
    covers = panel.offsetWidth === page.clientWidth
    panel.ariaModal = String(covers)
    if (covers === before) return
    if (covers) overflow = page.style.overflow
    page.style.overflow = covers ? 'hidden' : overflow
  }

  function bringBack(): void {
    // A dialog of the page that holds the focus as well would else never come to an end with this one.
    if (!covers || isReturning || root.activeElement) return
    isReturning = true
    close.focus()
    isReturning = false
  }
}
