/** Keeps a panel that fills a phone within what the keyboard leaves of the screen. @param life ends it */
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
