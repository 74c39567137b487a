/** The happenings at the desk that may start automations. */
export const deskEvents = ['opened', 'waiting', 'assigned', 'tagged', 'ended', 'waited'] as const
export type DeskEvent = (typeof deskEvents)[number]

/** All things that may start automations: an answer of the agent, or something at the desk. */
export const automationEvents = ['response', ...deskEvents] as const
export type AutomationEvent = (typeof automationEvents)[number]
