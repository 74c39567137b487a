import { bucketOf } from '../../events/count.ts'
import { outcomes } from '../../transcripts/conversations/outcomes.ts'
import { waitingReasons } from '../../transcripts/conversations/wait-for-person.ts'
import type { SupportKind, SupportRow } from './tables.ts'

/** The facts that are times. */
export const timeColumns = [
  'started_at',
  'waited_at',
  'answered_at',
  'ended_at',
  'reopened_at',
  'met_at',
  'missed_at',
  'asked_at',
  'rated_at',
] as const

type TimeColumn = (typeof timeColumns)[number]

/** The conversations that a figure counts, each at the time in a column. */
interface Figure {
  at: TimeColumn
  /** Only conversations with this value in this column. */
  only?: readonly [column: 'reason' | 'outcome' | 'solved_by' | 'score', value: string | number]
}

const scores = [1, 2, 3, 4, 5] as const

/** Each figure that counts conversations. Both the counting and the filter of the inbox read this table. */
export const figures = {
  conversations: { at: 'started_at' },
  waited: { at: 'waited_at' },
  ...each(waitingReasons, (reason) => `waited_${reason}` as const, 'waited_at', 'reason'),
  answered: { at: 'answered_at' },
  ended: { at: 'ended_at' },
  ...each(outcomes, (outcome) => outcome, 'ended_at', 'outcome'),
  ...each(['agent', 'person'] as const, (by) => `solved_by_${by}` as const, 'ended_at', 'solved_by'),
  reopened: { at: 'reopened_at' },
  targets_met: { at: 'met_at' },
  targets_missed: { at: 'missed_at' },
  asked: { at: 'asked_at' },
  rated: { at: 'rated_at' },
  ...each(scores, (score) => `rated_${score}` as const, 'rated_at', 'score'),
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof figures

export const figureNames = Object.keys(figures) as [FigureName, ...FigureName[]]

/** The durations that are counted in steps of 10%. A count's name is that of the duration with the step's number. */
export const lengths = ['answer_ms', 'answer_open_ms', 'solution_ms', 'solution_open_ms'] as const

function each<Value extends string | number, Name extends string>(
  values: readonly Value[],
  nameOf: (value: Value) => Name,
  at: Figure['at'],
  column: 'reason' | 'outcome' | 'solved_by' | 'score',
): Record<Name, Figure> {
  const named = values.map((value): [Name, Figure] => [nameOf(value), { at, only: [column, value] }])
  return Object.fromEntries(named) as Record<Name, Figure>
}

/** Lists what the facts of a conversation add to the figures, each with its time. */
export function countedIn(row: SupportRow): { name: string; at: string }[] {
  const counted = Object.entries<Figure>(figures).flatMap(([name, { at, only }]) => {
    const time = row[at]
    return time !== null && (!only || row[only[0]] === only[1]) ? [{ name, at: time }] : []
  })
  const measured = lengths.flatMap((name) => {
    const at = name.startsWith('answer') ? row.answered_at : row.ended_at
    const length = row[name]
    return at === null || length === null ? [] : [{ name: `${name}:${bucketOf(length)}`, at }]
  })
  return [...counted, ...measured]
}

/** Lists the values under which the facts of a conversation are counted. */
export function kindsOf(row: SupportRow): [kind: SupportKind, value: string][] {
  const { operator_id, group_id, channel_id, language } = row
  const tags = JSON.parse(row.tags) as string[]
  return [
    ['all', ''],
    ['operator', text(operator_id)],
    ['group', text(group_id)],
    ['channel', text(channel_id)],
    ['language', text(language)],
    ...(tags.length === 0 ? [''] : tags).map((tag): [SupportKind, string] => ['tag', tag]),
  ]
}

function text(value: string | number | null): string {
  return value === null ? '' : String(value)
}
