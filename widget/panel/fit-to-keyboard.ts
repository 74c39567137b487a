/** Keeps a panel that fills a phone in the part of the screen above the keyboard. @param life aborted to stop this */
export function fitToKeyboard(panel: HTMLElement, life: AbortController): void {
  const { visualViewport: visible } = window
  if (!visible) return
  const fit = () => {
    panel.style.setProperty('--top', `${visible.offsetTop}px`)
    panel.style.setProperty('--height', `${visible.height}px`)
  }
  fit()
  visible.addEventListener('resize', fit, life)
  visible.addEventListener('scroll', fit, life)
}
