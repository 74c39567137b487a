import { PlatformError } from '../platforms/platform.ts'
import type { Channel } from './channel.ts'
import { changeChannel, type SaveDependencies } from './save-channel.ts'

export interface ChannelCheck {
  ok: boolean
  account: string | null
  failure: 'unauthorized' | 'unreachable' | 'refused' | null
}

/** Asks the platform whether a channel's token works, and keeps what it tells of settings that are absent. */
export async function checkChannel(
  dependencies: SaveDependencies,
  channel: Channel,
  now: string,
): Promise<ChannelCheck> {
  const { platform, settings } = channel
  try {
    const { account, settings: learned } = await platform.check(dependencies.outbound, settings)
    const missing = Object.fromEntries(
      Object.entries(learned).filter(
        ([name]) => platform.learns.includes(name) && settings[name] === undefined,
      ),
    )
    if (Object.keys(missing).length > 0)
      await changeChannel(dependencies, channel, { settings: missing }, now)
    return { ok: true, account, failure: null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const failure =
      error.failure === 'unauthorized' ? 'unauthorized' : error.status === null ? 'unreachable' : 'refused'
    return { ok: false, account: null, failure }
  }
}
