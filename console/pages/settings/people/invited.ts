import type { Operator } from '../../../api/types.ts'

/** A person, and the link with which they join or choose a new password. */
export type Invited = Operator & { join_url: string; mailed: boolean }
