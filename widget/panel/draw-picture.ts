/**
 * Draws a picture from its bytes, so that the page's policy does not have to allow images. Loaded when a widget has one.
 * @throws if it cannot be loaded or drawn; the place then keeps its content
 */
export async function drawPicture(place: HTMLElement, url: string): Promise<void> {
  const response = await fetch(url, { credentials: 'omit' })
  await drawBlob(place, await response.blob())
}

/** Does the same with bytes that are there. @throws if they are no picture */
export async function drawBlob(place: HTMLElement, blob: Blob): Promise<void> {
  const picture = await createImageBitmap(blob)
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  place.replaceChildren(canvas)
}
