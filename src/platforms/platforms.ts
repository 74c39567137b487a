import { email } from './email.ts'
import { helpdesk } from './helpdesk.ts'
import { instagram } from './instagram.ts'
import { messengerOne } from './messenger-one.ts'
import { messengerThree } from './messenger-three.ts'
import { messengerTwo } from './messenger-two.ts'
import type { ChannelSettings, CommonSettings, Platform } from './platform.ts'
import { sms } from './sms.ts'
import { telegram } from './telegram.ts'

/** Every platform. Each file contains everything about its own platform. */
const all = [messengerOne, messengerTwo, messengerThree, helpdesk, telegram, instagram, sms, email] as const

/** A kind of channel, as in paths. */
export type PlatformKind = (typeof all)[number]['kind']

export type AnyPlatform = Platform<ChannelSettings, PlatformKind>

/** The settings that only channels of a kind have, by their names. */
export type SettingOf<Kind extends PlatformKind> =
  Extract<(typeof all)[number], { kind: Kind }> extends Platform<infer Settings, Kind>
    ? Exclude<keyof Settings & string, keyof CommonSettings>
    : never

/** The adapters by kind. Their settings must have passed the adapter's own schema. */
export const platforms = Object.fromEntries(
  all.map((platform: AnyPlatform) => [platform.kind, platform]),
) as Record<PlatformKind, AnyPlatform>

/** Returns the kinds of all platforms, or only of those for which `can` is true. */
export function kindsOf(
  can: (platform: AnyPlatform) => boolean = () => true,
): [PlatformKind, ...PlatformKind[]] {
  const kinds = Object.values(platforms)
    .filter(can)
    .map(({ kind }) => kind)
  return kinds as [PlatformKind, ...PlatformKind[]]
}

export function isPlatformKind(kind: string): kind is PlatformKind {
  return Object.hasOwn(platforms, kind)
}
