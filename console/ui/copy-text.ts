/**
 * Copies a text, also on a page that is served without HTTPS, which has no `navigator.clipboard`.
 * @throws if the browser does not let the page copy
 */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard) return clipboard.writeText(text)
  const { activeElement } = document
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (activeElement instanceof HTMLElement) activeElement.focus()
  if (!isCopied) throw new Error('The browser did not copy the text.')
}
