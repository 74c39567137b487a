/**
 * The ways in which a conversation can end. `resolved`: its user or a person said so; `assumed`: nothing came after an answer;
 * `handed_off`: people had it; `abandoned`: it waited for a person, and nobody came; `unanswered`: nobody answered the
 * last question.
 */
export const outcomes = ['resolved', 'assumed', 'handed_off', 'abandoned', 'unanswered'] as const

export type Outcome = (typeof outcomes)[number]
