import type { Look } from '../launcher/settings.ts'

/** Shows the widget's picture, or the first letter of its title until there is one. */
export function showAvatar(place: HTMLElement, { title, avatar_url }: Look, agent: string): void {
  const [letter = ''] = title || agent
  place.textContent = letter.toUpperCase()
  if (avatar_url)
    // If the picture cannot be drawn, the letter stays.
    import('./draw-picture.ts').then((parts) => parts.drawPicture(place, avatar_url)).catch(() => {})
}
