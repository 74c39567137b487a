import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/**
 * The text in a field that takes effect once typing pauses.
 * @param value the text that has taken effect, without spaces around it
 * @param tell called with the new value
 */
export function useTyped(value: string, tell: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const ask = useDebouncedCallback((text: string) => {
    told.current = text
    tell(text)
  }, 300)
  useEffect(() => {
    // A value that comes from this field may arrive when the person has typed on.
    if (value === told.current) return
    told.current = value
    ask.cancel()
    setTyped(value)
  }, [value, ask])
  return {
    value: typed,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setTyped(currentTarget.value)
      ask(currentTarget.value.trim())
    },
  }
}
