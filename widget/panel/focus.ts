/** Focuses an element that has just appeared, and scrolls its form into view. */
export function focus(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  const whole = element.closest('form') ?? element
  whole.scrollIntoView({ block: 'nearest' })
}
