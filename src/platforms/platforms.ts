import type { ChannelSettings, Platform, PlatformKind } from './platform.ts'

// Stands in until the adapters are there.
export const platforms = {} as Record<PlatformKind, Platform<ChannelSettings>>
