import type { InboundBase } from '../platforms/platform.ts'

/** The part of an inbound event that is stored as an item's payload. */
export type Payload<Event extends InboundBase> = Omit<Event, keyof InboundBase | 'type'> & {
  /** The id from which a person with several ids wrote. Answers go there. */
  address?: string
}
