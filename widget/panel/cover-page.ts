import type { Frame } from '../launcher/frame.ts'

/**
 * Makes a panel a modal dialog for as long as it fills the screen: the page behind does not scroll and cannot take the
 * focus.
 * @param life aborted to stop this
 * @returns a function to call when the panel has opened or closed
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
    // Without `isReturning`, this and a dialog of the page that also holds the focus would steal it in an endless loop.
    if (!covers || isReturning || root.activeElement) return
    isReturning = true
    close.focus()
    isReturning = false
  }
}
