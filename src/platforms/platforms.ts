import { helpdesk } from './helpdesk.ts'
import { messengerOne } from './messenger-one.ts'
import { messengerThree } from './messenger-three.ts'
import { messengerTwo } from './messenger-two.ts'
import type { ChannelSettings, Platform, PlatformKind } from './platform.ts'

/** The adapters, for settings that were checked by the adapter's own schema. */
export const platforms = {
  'messenger-one': messengerOne,
  'messenger-two': messengerTwo,
  'messenger-three': messengerThree,
  helpdesk,
} as unknown as Record<PlatformKind, Platform<ChannelSettings>>
