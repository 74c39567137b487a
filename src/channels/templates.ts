import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { SaidTemplate } from '../desk/words.ts'
import { ApiError } from '../errors.ts'
import { type Clock, HOUR_MS } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { type DeliveryReason, PlatformError } from '../platforms/platform.ts'
import {
  type Template,
  type TemplateUse,
  templateFiles,
  templateText,
  wrongVariable,
} from '../platforms/template.ts'
import type { Tables } from '../storage/tables.ts'
import { type Channel, readChannel } from './channel.ts'

interface Dependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Pick<Outbound, 'of'>
  clock: Clock
}

export const templateSchema = z
  .object({
    name: z.string(),
    language: z.string().describe('As the platform writes it, such as `en_US`.'),
    category: z.string().nullable().describe('As the platform names it, such as `utility`.'),
    text: z.string().describe('What the person reads, with `{{name}}` in place of each variable.'),
    variables: z.array(
      z.object({
        name: z.string(),
        example: z.string().nullable().describe('The text with which the platform approved it.'),
      }),
    ),
    file: z
      .enum(templateFiles)
      .nullable()
      .describe('The kind of the file above its text, which is sent as the only one of `attachments`.'),
  })
  .meta({ id: 'Template' })

/** The time for which an answer of the platform is kept. */
const KEPT_MS = HOUR_MS
/** The time after which a template that is not among those kept is looked for once more. */
const FRESH_MS = 10_000
/** The most channels whose templates are kept. */
const MOST_KEPT = 50

/** Reads the templates of channels from their platforms, and keeps each answer for an hour. */
export function openTemplates({ db, box, outbound, clock }: Dependencies) {
  const kept = new Map<number, { version: string; askedAt: number; answer: Promise<Template[]> }>()

  async function list(channel: Channel, keptMs: number): Promise<Template[]> {
    const { templates, kind } = channel.platform
    if (!templates)
      throw new ApiError('no_templates', { message: `Channels of the kind ${kind} have no templates.` })
    if (channel.settings[templates.setting] === undefined)
      throw new ApiError('no_templates', {
        message: `The channel's templates cannot be asked for: its setting ${templates.setting} is missing.`,
      })
    const known = kept.get(channel.id)
    if (known?.version === channel.version && clock() - known.askedAt < keptMs) return known.answer
    const answer = templates.list(outbound.of(channel.teamId), channel.settings).catch((error) => {
      throw error instanceof PlatformError ? platformFailed(error) : error
    })
    kept.delete(channel.id)
    kept.set(channel.id, { version: channel.version, askedAt: clock(), answer })
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    // A failure is not kept.
    answer.catch(() => kept.get(channel.id)?.answer === answer && kept.delete(channel.id))
    return answer
  }

  /**
   * Returns the text of a template with its variables filled in, as the recipient reads it, and the kind of its file.
   * @param place the field of the request that names the template
   */
  async function saidBy(channel: Channel, use: TemplateUse, place: string): Promise<SaidTemplate> {
    const isMeant = ({ name, language }: Template) => name === use.name && language === use.language
    const template =
      (await list(channel, KEPT_MS)).find(isMeant) ?? (await list(channel, FRESH_MS)).find(isMeant)
    if (!template) throw new ApiError('template_not_found', { param: `${place}.name` })
    const wrong = wrongVariable(template, use.variables)
    if (wrong) {
      const param = `${place}.variables.${wrong.name}`
      throw new ApiError('template_mismatch', { param, message: `${param}: ${wrong.why}` })
    }
    return { text: templateText(template, use.variables), file: template.file }
  }

  return {
    list: (channel: Channel) => list(channel, KEPT_MS),
    saidBy,
    /** Returns what `saidBy` does, for the channel of a conversation. @throws ApiError no_templates, if it has none */
    async saidIn(
      { agent_id, channel_id }: { agent_id: number; channel_id: number | null },
      use: TemplateUse,
      place: string,
    ): Promise<SaidTemplate> {
      if (channel_id === null)
        throw new ApiError('no_templates', { message: 'The conversation came through no channel.' })
      return saidBy(await readChannel(db, box, agent_id, String(channel_id)), use, place)
    },
  }
}

export type Templates = ReturnType<typeof openTemplates>

const WORDS: Partial<Record<DeliveryReason, string>> = {
  unauthorized: "The platform refused the channel's access token.",
  too_slow: 'The platform gave no answer in time.',
  unreachable: 'The platform could not be reached.',
}

function platformFailed(error: PlatformError): ApiError {
  const { reason, status } = error
  const refused = `The platform refused the request${status === null ? '' : ` with status ${status}`}.`
  return new ApiError('platform_failed', { message: WORDS[reason] ?? refused, cause: error })
}
