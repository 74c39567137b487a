import type { AgentRows } from '../storage/erase-rows.ts'

export const noticeRows: readonly AgentRows[] = [
  { table: 'notice_causes', key: 'id' },
  { table: 'notice_mails', key: 'id' },
  { table: 'notice_pushes', key: 'id' },
  { table: 'notices', key: 'id' },
]
