import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FigureLink } from './FigureLink.tsx'
import type { FigureTarget } from './use-links.ts'
import './BarList.css'

interface ListedBar {
  key: string
  name: string
  value: number
  /** Null where no conversation stands behind it. */
  to: FigureTarget | null
}

interface BarListProps {
  bars: readonly ListedBar[]
  format: (value: number) => string
}

/** A row for each thing that is compared: its name, a bar, and its figure, which leads to the conversations. */
export function BarList({ bars, format }: BarListProps) {
  const { t } = useTranslation()
  const most = Math.max(...bars.map(({ value }) => value), 0)
  if (most === 0) return <Text c="dimmed">{t('analytics.nothing')}</Text>
  return (
    <ul className="bar-list">
      {bars.map(({ key, name, value, to }) => (
        <li key={key}>
          <span className="bar-list-name foreign">{name}</span>
          <span className="bar-list-bar" aria-hidden="true">
            <span style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span className="numbers">
            <FigureLink
              to={value > 0 ? to : null}
              label={t('support.open', { figure: name, value: format(value) })}
            >
              {format(value)}
            </FigureLink>
          </span>
        </li>
      ))}
    </ul>
  )
}
