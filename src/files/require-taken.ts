import type { Kysely } from 'kysely'
import { invalidField } from '../errors.ts'
import { selectChannel } from '../mailboxes/channel-store.ts'
import { MEGABYTE, wayOf } from '../platforms/outbound-file.ts'
import { type AnyPlatform, isPlatformKind, platforms } from '../platforms/platforms.ts'
import type { TemplateFile } from '../platforms/template.ts'
import type { Tables } from '../storage/tables.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { selectUnsent } from './store.ts'

interface Words {
  /** The ids of the files. */
  attachments: readonly string[]
  /** The kind of file that the message's template needs; null or absent: none. */
  templateFile?: TemplateFile | null
}

/**
 * Refuses files that the platform of a conversation's channel does not take, before any is sent.
 * @param hasPublicUrl true if links to this service work from outside
 * @throws ApiError invalid_request
 */
export async function requireTaken(
  db: Kysely<Tables>,
  conversation: Pick<ConversationRow, 'id' | 'agent_id' | 'channel_id'>,
  { attachments: ids, templateFile }: Words,
  hasPublicUrl: boolean,
  now: string,
): Promise<void> {
  if (ids.length === 0 || conversation.channel_id === null) return
  const [channel] = await selectChannel(db, { id: conversation.channel_id })
  if (!channel || !isPlatformKind(channel.kind)) return
  const platform = platforms[channel.kind]
  const { id: conversation_id, agent_id } = conversation
  const unsent = await selectUnsent(db, { agent_id, conversation_id }, ids, now)
  const { attaches } = platform
  const whyNot = (file: Attachment) =>
    templateFile ? whyNotAbove(platform, templateFile, file) : whyRefused(platform, file, hasPublicUrl)
  const why = attaches
    ? whyTooMany(platform.title, attaches.bytes, unsent)
    : unsent.map(whyNot).find((one) => one !== null)
  if (why) throw invalidField('attachments', why)
}

function whyTooMany(title: string, most: number, files: readonly Attachment[]): string | null {
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0)
  if (all <= most) return null
  return `cannot be sent: ${title} takes files of up to ${most / MEGABYTE} MB together, and these have ${(all / MEGABYTE).toFixed(1)} MB`
}

function whyNotAbove({ title, files }: AnyPlatform, wanted: TemplateFile, file: Attachment): string | null {
  const ways = files?.ways ?? []
  const way = ways.find(({ as }) => as === wanted)
  if (!way || wayOf(ways, file) === way) return null
  const types = way.types ? ` (${way.types.join(', ')})` : ''
  return `cannot be sent: above this template ${title} takes a file of the kind ${wanted}${types} of up to ${way.bytes / MEGABYTE} MB`
}

function whyRefused({ title, files }: AnyPlatform, file: Attachment, hasPublicUrl: boolean): string | null {
  if (!files) return `cannot be sent: ${title} takes only text`
  if (files.byLink)
    return hasPublicUrl
      ? null
      : `cannot be sent: ${title} reads files from a link, and PARLEY_PUBLIC_URL is no https address`
  if (wayOf(files.ways, file)) return null
  const most = Math.max(...files.ways.map(({ bytes }) => bytes)) / MEGABYTE
  return `cannot be sent: ${title} takes files of up to ${most} MB, and "${file.name ?? file.kind}" is larger`
}
