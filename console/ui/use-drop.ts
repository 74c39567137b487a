import { type DragEvent, useState } from 'react'

/** Returns the properties of an element on which files can be dropped. @param onFiles null: none can be dropped now */
export function useDrop(onFiles: ((dropped: DataTransfer) => void) | null) {
  const [isOver, setOver] = useState(false)
  if (!onFiles) return {}
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      onFiles(event.dataTransfer)
    },
  }
}
