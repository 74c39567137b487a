import { BytesGone } from '../files/places/file-place.ts'
import { selectPlaced } from '../files/store.ts'
import { inSpan } from '../lib/tracing/tracing.ts'
import { type AttachedFile, type OutboundFile, textWithLink, wayOf } from '../platforms/outbound-file.ts'
import type { OutboundTexts, Sent } from '../platforms/platform.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import type { Channel } from './channel.ts'
import type { ChannelWork } from './channel-work.ts'
import type { NextParts } from './outgoing-parts.ts'

type Recipient = Omit<OutboundTexts, 'texts' | 'buttons' | 'files'>

/** Sends the parts of messages through a channel. */
export function partSender({ db, outbound, places, links }: ChannelWork, channel: Channel) {
  const { agentId, platform, settings } = channel
  const http = outbound.of(channel.teamId)
  const uploaded = new Map<string, string>()

  async function toFile({ id, kind, name, type, bytes }: Attachment): Promise<OutboundFile> {
    const file = await selectPlaced(db, id)
    if (!file) throw new BytesGone()
    return {
      kind,
      name: name ?? kind,
      type,
      bytes,
      content: () => places.read(file, 'kept', 0, bytes),
      link: links.linkTo({ agentId, fileId: id }),
    }
  }

  const toAttached = async (file: Attachment): Promise<AttachedFile> => ({
    ...(await toFile(file)),
    as: wayOf(platform.files?.ways ?? [], file)?.as ?? null,
    uploaded: uploaded.get(file.id) ?? null,
  })

  async function sendFile(file: Attachment, to: Recipient): Promise<Sent> {
    const { files } = platform
    const sent = await toAttached(file)
    const { as, uploaded } = sent
    if (!files || as === null) return platform.send(http, settings, { ...to, texts: [textWithLink(sent)] })
    return files.send(http, settings, { ...to, file: sent, as, uploaded })
  }

  return {
    /**
     * Uploads files. It sends nothing, so that it can be repeated.
     * @throws PlatformError
     */
    async upload(files: readonly Attachment[]): Promise<void> {
      const sending = platform.files
      if (!sending?.upload) return
      for (const file of files) {
        const way = wayOf(sending.ways, file)
        if (way) uploaded.set(file.id, await sending.upload(http, settings, await toFile(file), way.as))
      }
    },

    /**
     * Sends what one call takes.
     * @throws PlatformError, ReplyTokenRefused
     */
    send(next: NextParts, to: Recipient): Promise<Sent> {
      return inSpan('channel send', 'internal', { 'parley.platform': platform.kind }, async () => {
        if ('file' in next) return sendFile(next.file, to)
        const files = await Promise.all(next.files.map(toAttached))
        return platform.send(http, settings, { ...to, ...next, files })
      })
    },
  }
}
