import { subscribedTo } from '../events/subscriptions.ts'
import type { Trigger } from '../storage/triggers.ts'

/**
 * Writes a delivery for each subscribed notification with every inserted event: always in the transaction of its cause,
 * and without a query of its own where no notification is subscribed.
 */
export const deliveryTriggers: readonly Trigger[] = [
  {
    name: 'events_fan_out',
    revision: 1,
    after: 'insert on events',
    acts: () => `
      insert into deliveries (notification_id, agent_id, event_id, event_key, completion_id, state, created_at)
      select notification_id, new.agent_id, new.id, new.key, new.completion_id, 'pending', new.occurred_at
      from ${subscribedTo('new')};`,
  },
]
