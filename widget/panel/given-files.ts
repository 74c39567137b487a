/** Hands over the files that a visitor pastes into the input or drops on the panel. */
export function takeGivenFiles(
  panel: HTMLElement,
  input: HTMLElement,
  add: (files: readonly File[]) => void,
  life: AbortSignal,
): void {
  const options = { signal: life }
  input.addEventListener(
    'paste',
    (event) => {
      // A copied part of a document comes as text and as a picture: the text is meant.
      if (!event.clipboardData?.types.includes('text/plain')) take(event, event.clipboardData)
    },
    options,
  )
  panel.addEventListener(
    'dragover',
    (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      panel.classList.add('over')
    },
    options,
  )
  panel.addEventListener('dragleave', leave, options)
  panel.addEventListener(
    'drop',
    (event) => {
      leave()
      take(event, event.dataTransfer)
    },
    options,
  )

  function leave(): void {
    panel.classList.remove('over')
  }

  function take(event: Event, data: DataTransfer | null): void {
    const files = [...(data?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    add(files)
  }
}
