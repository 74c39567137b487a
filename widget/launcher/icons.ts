/** Outlines in a square of 24 units. */
const outlines = {
  chat: 'M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-6l-5 4v-4h-1a2 2 0 0 1-2-2zM8 9h8M8 13h5',
  close: 'M18 6l-12 12M6 6l12 12',
  send: 'M3 11l18-8l-8 18l-2-8zM11 13l10-10',
} as const

/** Draws an icon that replaces a word or stands beside one; screen readers skip it. */
export function drawIcon(name: keyof typeof outlines): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', outlines[name])
  svg.append(path)
  return svg
}
