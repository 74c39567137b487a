/** The topic of wake-ups for automations. */
export const AUTOMATIONS = 'automations'
