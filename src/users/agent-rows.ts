import type { AgentRows } from '../storage/erase-rows.ts'

export const userRows: readonly AgentRows[] = [
  { table: 'user_words', key: 'word', isNested: true },
  { table: 'users', key: 'id', isNested: true },
  { table: 'unsourced_users', key: 'id', isNested: true },
  { table: 'devices', key: 'id', isNested: true },
  { table: 'sessions', key: 'id', isNested: true },
]
