import type { Look } from '../launcher/settings.ts'

/**
 * Shows the widget's picture, or the first letter of its title. The picture is drawn from its bytes, so the page's
 * policy does not have to allow images.
 */
export async function showAvatar(
  place: HTMLElement,
  { title, avatar_url }: Look,
  agent: string,
): Promise<void> {
  const [letter = ''] = title || agent
  place.textContent = letter.toUpperCase()
  if (!avatar_url) return
  try {
    const response = await fetch(avatar_url, { credentials: 'omit' })
    const picture = await createImageBitmap(await response.blob())
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
    place.replaceChildren(canvas)
  } catch {
    // The letter stays in place of the picture.
  }
}
