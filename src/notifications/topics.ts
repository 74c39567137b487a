/** The topic of wake-ups for deliveries. */
export const DELIVERIES = 'deliveries'
