/** Outlines in a square of 24 units. */
const outlines = {
  person: 'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M5 21a7 7 0 0 1 14 0',
  agent: 'M12 3l2 7l7 2l-7 2l-2 7l-2-7l-7-2l7-2z',
  anew: 'M20 11a8 8 0 0 0-15.5-2m-.5-4v4h4M4 13a8 8 0 0 0 15.5 2m.5 4v-4h-4',
  like: 'M7 11v9h-4v-9h4l4-5v-1a2 2 0 0 1 4 0v5h6l-2 10h-12',
  flag: 'M5 21v-17h13l-3 5l3 5h-13',
  down: 'M12 5v14M18 13l-6 6l-6-6',
} as const

type IconName = keyof typeof outlines

/** An icon that replaces words or stands beside them, so screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={outlines[name]} />
    </svg>
  )
}

/** A button that shows only an icon; its label is its name and its tooltip. */
export function IconButton(props: {
  icon: IconName
  label: string
  isPressed?: boolean
  class?: string
  onClick: () => void
}) {
  const { icon, label, isPressed, onClick } = props
  return (
    <button
      type="button"
      class={props.class ?? 'icon'}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
