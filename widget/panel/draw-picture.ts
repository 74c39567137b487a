/**
 * Draws a picture from its bytes, so that the page's policy does not have to allow images. Loaded when a widget has one.
 * @throws if it cannot be loaded or drawn; the place then keeps its content
 */
export async function drawPicture(place: HTMLElement, url: string): Promise<void> {
  const response = await fetch(url, { credentials: 'omit' })
  place.replaceChildren(await canvasOf(await response.blob()))
}

/** Returns a picture, drawn from bytes, that fills its place. @throws if they are no picture */
export async function canvasOf(blob: Blob): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(blob)
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.style.cssText = 'width:100%;height:100%;object-fit:cover'
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return canvas
}
