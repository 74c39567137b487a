import { supportTriggers } from './analytics/support/triggers.ts'
import { inboxTriggers } from './inbox/triggers.ts'
import { noticeTriggers } from './notices/triggers.ts'
import { deliveryTriggers } from './notifications/triggers.ts'
import { automationTriggers } from './rules/triggers.ts'
import { searchTriggers } from './search/triggers.ts'
import type { Trigger } from './storage/triggers.ts'
import { userTriggers } from './users/triggers.ts'

/** All triggers of the database. */
export const triggers: readonly Trigger[] = [
  ...automationTriggers,
  ...deliveryTriggers,
  ...inboxTriggers,
  ...noticeTriggers,
  ...searchTriggers,
  ...supportTriggers,
  ...userTriggers,
]
