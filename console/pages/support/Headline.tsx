import { Paper, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FigureName } from '../../../src/analytics/support/figures.ts'
import { Change } from '../analytics/Change.tsx'
import { FigureLink } from './FigureLink.tsx'
import { type Figures, hasHours, numberOf, share } from './figures.ts'
import { useFormats } from './use-formats.ts'
import type { LinkTo } from './use-links.ts'

interface Card {
  name:
    | 'conversations'
    | 'solvedByAgent'
    | 'solvedByPeople'
    | 'waited'
    | 'answer'
    | 'solution'
    | 'kept'
    | 'rating'
  /** The figure whose conversations it leads to. */
  counted: FigureName | null
  value: (figures: Figures) => number | null
  format: (value: number | null) => string
  /** Says more of the figure. */
  more: (figures: Figures) => string | null
  isPlain?: boolean
  /** The number of conversations in which a length of time was measured. */
  measured?: (figures: Figures) => number
}

interface HeadlineProps {
  now: Figures | undefined
  /** The figures of the period before. */
  before: Figures | undefined
  linkTo: LinkTo
}

/** The figures that a lead reads first, each with its change since the period before. */
export function Headline({ now, before, linkTo }: HeadlineProps) {
  const { t } = useTranslation()
  const cards = useCards()
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {cards.map(({ name, counted, value, format, more, isPlain = false, measured }) => {
        const isOpen = now && (name === 'answer' || name === 'solution') && hasHours(now, name)
        const label = isOpen ? t(`support.cards.${name}Open`) : t(`support.cards.${name}`)
        const shown = now ? format(value(now)) : '–'
        return (
          <Paper key={name} withBorder p="md" bg="var(--parley-raised)">
            <Text c="dimmed" size="secondary">
              {label}
            </Text>
            <Text size="xl" fw={600} className="numbers">
              <FigureLink
                to={now && counted && now[counted] > 0 ? linkTo(counted) : null}
                label={t('support.open', { figure: label, value: shown })}
              >
                {shown}
              </FigureLink>
            </Text>
            <Text c="dimmed" size="xs" className="numbers">
              {(now && more(now)) || '\u00a0'}
            </Text>
            <Change
              now={now ? value(now) : null}
              before={before ? value(before) : null}
              counted={before ? measured?.(before) : null}
              format={format}
              isPlain={isPlain}
            />
          </Paper>
        )
      })}
    </SimpleGrid>
  )
}

function useCards(): readonly Card[] {
  const { t } = useTranslation()
  const { count, mean, share: percent, length } = useFormats()
  const ofEnded = (part: number, { ended }: Figures) =>
    ended === 0 ? null : t('support.ofEnded', { share: percent(share(part, ended)) })
  const lengths = (figure: 'answer' | 'solution') => (all: Figures) => {
    if (all[figure].median_ms === null) return null
    const ninth = t('support.ninth', { length: length(all[`${figure}_open`].p90_ms) })
    if (!hasHours(all, figure)) return ninth
    return `${ninth} · ${t('support.byTheClock', { length: length(all[figure].median_ms) })}`
  }
  return [
    {
      name: 'conversations',
      counted: 'conversations',
      format: count,
      value: ({ conversations }) => conversations,
      more: () => null,
    },
    {
      name: 'solvedByAgent',
      counted: 'solved_by_agent',
      format: count,
      value: ({ solved_by_agent }) => solved_by_agent,
      more: (all) => ofEnded(all.solved_by_agent, all),
    },
    {
      name: 'solvedByPeople',
      counted: 'solved_by_person',
      format: count,
      value: ({ solved_by_person }) => solved_by_person,
      more: (all) => ofEnded(all.solved_by_person, all),
    },
    {
      name: 'waited',
      counted: 'waited',
      format: count,
      value: ({ waited }) => waited,
      more: ({ answered }) => t('support.answered', { number: count(answered) }),
    },
    {
      name: 'answer',
      counted: 'answered',
      format: length,
      value: (all) => numberOf(all, 'answer'),
      more: lengths('answer'),
      measured: ({ answered }) => answered,
    },
    {
      name: 'solution',
      counted: null,
      format: length,
      value: (all) => numberOf(all, 'solution'),
      more: lengths('solution'),
      measured: ({ solved_by_agent, solved_by_person }) => solved_by_agent + solved_by_person,
    },
    {
      name: 'kept',
      counted: 'targets_met',
      format: percent,
      isPlain: true,
      value: ({ targets_met, targets_missed }) => share(targets_met, targets_met + targets_missed),
      more: ({ targets_met, targets_missed }) =>
        targets_met + targets_missed === 0 ? null : t('support.missed', { number: count(targets_missed) }),
    },
    {
      name: 'rating',
      counted: 'rated',
      format: mean,
      isPlain: true,
      value: ({ rating_mean }) => rating_mean,
      more: ({ rated, rating_share }) =>
        rating_share === null
          ? t('support.rated', { count: rated })
          : t('support.ratedOfAsked', { count: rated, share: percent(rating_share) }),
    },
  ]
}
