import type { Channel } from '../../api/types.ts'

/** Tells whether a platform has templates, which reach people when its reply window is closed. */
export function hasTemplates(kind: Channel['kind']): boolean {
  return kind === 'messenger-one'
}
