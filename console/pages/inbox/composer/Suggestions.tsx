import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export interface Suggestion {
  id: string
  name: string
  preview?: ReactNode
  /** The text that replaces the typed one. */
  text: string
}

interface SuggestionsProps {
  id: string
  label: string
  items: readonly Suggestion[]
  chosen: number
  onTake: (item: Suggestion) => void
}

/** Suggestions for the place where somebody is typing. The field keeps the focus; arrows choose, Enter takes. */
export function Suggestions({ id, label, items, chosen, onTake }: SuggestionsProps) {
  return (
    <div className="suggestions" id={id} role="listbox" aria-label={label} tabIndex={-1}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={item.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className="suggestion foreign"
          ref={index === chosen ? (shown) => shown?.scrollIntoView({ block: 'nearest' }) : null}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
        >
          <Text fw={600}>{item.name}</Text>
          {item.preview ? (
            <Text size="secondary" c="dimmed" lineClamp={2} component="div">
              {item.preview}
            </Text>
          ) : null}
        </div>
      ))}
    </div>
  )
}
