import type { Right } from '../http/rights.ts'
import type { NoticeRow } from './tables.ts'

export type NoticeKind = NoticeRow['kind']

/** The kinds of notices, each with the right that a person needs to get it. */
export const kinds = {
  mention: 'read',
  assigned: 'respond',
  waiting: 'respond',
  reply: 'respond',
  due: 'respond',
  failed: 'manage',
} as const satisfies Record<NoticeKind, Right>

export const kindNames = Object.keys(kinds) as NoticeKind[]
