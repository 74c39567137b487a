import type { Kysely } from 'kysely'
import { acrossAgents } from '../lib/agent-scope.ts'
import { rowId } from '../lib/ids.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { selectAllChannels, selectChannel } from '../mailboxes/channel-store.ts'
import type { ChannelRow } from '../mailboxes/tables.ts'
import type { PlatformKind } from '../platforms/platforms.ts'
import type { Tables } from '../storage/tables.ts'
import { type Channel, toChannel } from './channel.ts'

/**
 * Finds the channels that platforms call. It keeps the rows that it has read, and uses them only while the database is
 * away, so that status endpoints still answer then.
 */
export function findChannels(db: Kysely<Tables>, box: SecretBox, isUnavailable: (error: unknown) => boolean) {
  const seen = new Map<number, { row: ChannelRow; channel: Channel }>()
  const readings = new Map<number, Promise<ChannelRow | undefined>>()

  /** Reads a row once for all calls in a turn of the event loop, after the turn so that no call gets an old row. */
  function read(id: number): Promise<ChannelRow | undefined> {
    const known = readings.get(id)
    if (known) return known
    const reading = nextTurn().then(async () => {
      readings.delete(id)
      const [row] = await acrossAgents('the agent is known once its channel is read', () =>
        selectChannel(db, { id }),
      )
      return row
    })
    readings.set(id, reading)
    return reading
  }

  /** Opens the secrets of a channel only when its row has changed: that costs more than reading the row. */
  function open(row: ChannelRow): Channel {
    const kept = seen.get(row.id)
    if (
      kept &&
      kept.row.settings === row.settings &&
      kept.row.active === row.active &&
      kept.row.name === row.name
    )
      return kept.channel
    const channel = toChannel(row, box)
    seen.set(row.id, { row, channel })
    return channel
  }

  async function byId(id: number): Promise<Channel | null> {
    try {
      const row = await read(id)
      if (row) return open(row)
      seen.delete(id)
      return null
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const kept = seen.get(id)
      if (!kept) throw error
      return kept.channel
    }
  }

  return {
    byId,
    /** Returns the channel with the id in a path, if it is of this kind; otherwise null. */
    async ofKind(id: string, kind: PlatformKind): Promise<Channel | null> {
      const number = rowId(id)
      const channel = number === 0 ? null : await byId(number)
      return channel?.kind === kind ? channel : null
    },
    /** Reads all channels, before the first request. */
    async prepare(): Promise<void> {
      for (const row of await selectAllChannels(db)) open(row)
    },
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export type Channels = ReturnType<typeof findChannels>
