import type { TeamBy } from '../audit/record.ts'
import { selectAllChannels } from '../mailboxes/channel-store.ts'
import { PlatformError } from '../platforms/platform.ts'
import { type Channel, toChannel } from './channel.ts'
import { changeChannel, type SaveDependencies } from './save-channel.ts'

interface ChannelCheck {
  ok: boolean
  account: string | null
  failure: 'unauthorized' | 'unreachable' | 'refused' | null
}

/** Asks the platform whether a channel's token works, and stores missing settings that it returns. */
export async function checkChannel(
  dependencies: SaveDependencies,
  channel: Channel,
  now: string,
  by: TeamBy,
): Promise<ChannelCheck> {
  const { platform, settings, teamId } = channel
  try {
    const { account, settings: learned } = await platform.check(dependencies.outbound.of(teamId), settings)
    const missing = Object.fromEntries(
      Object.entries(learned).filter(
        ([name]) => platform.learns.includes(name) && settings[name] === undefined,
      ),
    )
    if (Object.keys(missing).length > 0)
      await changeChannel(dependencies, channel, { settings: missing }, now, by)
    return { ok: true, account, failure: null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { ok: false, account: null, failure: failureOf(error) }
  }
}

/** Asks the platforms of all agents' active channels whether their tokens work. Changes nothing. */
export async function checkAllChannels({
  db,
  box,
  outbound,
}: SaveDependencies): Promise<{ id: number; kind: string; failure: ChannelCheck['failure'] }[]> {
  const rows = (await selectAllChannels(db)).filter(({ active }) => active === 1)
  return Promise.all(
    rows.map(async (row) => {
      const { id, kind, platform, settings } = toChannel(row, box)
      try {
        await platform.check(outbound.of(null), settings)
        return { id, kind, failure: null }
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error
        return { id, kind, failure: failureOf(error) }
      }
    }),
  )
}

function failureOf({ reason, status }: PlatformError): ChannelCheck['failure'] {
  return reason === 'unauthorized' ? 'unauthorized' : status === null ? 'unreachable' : 'refused'
}
