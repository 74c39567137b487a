import { createHmac, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../../agents/agent.ts'
import { awayNotice } from '../../agents/away-text.ts'
import { inConversation } from '../../agents/in-conversation.ts'
import { ApiError } from '../../errors.ts'
import { language } from '../../http/by-language.ts'
import { boundedText } from '../../http/schemas.ts'
import { equalInConstantTime } from '../../lib/secrets/constant-time.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import { selectChannel } from '../../mailboxes/channel-store.ts'
import type { Tables } from '../../storage/tables.ts'
import { pathId } from '../../transcripts/conversations/schemas.ts'
import {
  newestOfVisitor,
  readForVisitor,
  visitorConversation,
} from '../../transcripts/conversations/visitor-conversations.ts'
import { VISITOR_PREFIX } from '../../users/user-key.ts'
import type { OpenedWidget } from '../find-widget.ts'
import { secretPlace } from '../save-widget.ts'
import { lookOf, textsOf, uploadsOf, widgetSchema } from '../schemas.ts'
import { chooseTexts } from './choose-texts.ts'
import { checkToken, visitorOf } from './visitor.ts'
import { type VisitorClaims, writeVisitorToken } from './visitor-token.ts'

export const pageUrl = boundedText(2048)

export const sessionBody = z.strictObject({
  visitor_token: boundedText(4096).nullish(),
  user: z
    .strictObject({
      id: pathId.refine((id) => !id.startsWith(VISITOR_PREFIX), `must not begin with "${VISITOR_PREFIX}"`),
      name: boundedText(200).nullish(),
      hash: boundedText(200).default(''),
    })
    .nullish(),
  page_url: pageUrl.nullish(),
  language: language.nullish(),
})

/** The language of the words that the chat itself has. */
export const sessionQuery = z.object({
  shown: language.optional().describe('The language of the words that the chat itself has.'),
})

type SessionBody = z.output<typeof sessionBody>

const { look, identity, uploads } = widgetSchema.shape

export const sessionSchema = z
  .object({
    visitor_token: z.string().describe('Good for 30 days; sent to `beginVisitorSession`, it is renewed.'),
    visitor_id: z.string().describe('One for each browser or app.'),
    verified: z.boolean().describe('True for a user of the site whose id `hash` proved.'),
    user: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    widget: z.object({
      look: look.extend({ title: z.string() }),
      language: z.string().nullable().describe('That of `texts`; null: there are none that fit.'),
      texts: z.object({
        greeting: z
          .string()
          .nullable()
          .describe(
            'While nobody is there, it ends with when somebody will be (`away_message` of the agent).',
          ),
        suggestions: z.array(z.string()),
        placeholder: z.string().nullable(),
        notice: z.string().nullable(),
        footer: z.string().nullable(),
        footer_url: z.string().nullable(),
      }),
      identity,
      uploads,
      mail: z.boolean().describe('True if visitors may leave an address for answers that they do not see.'),
    }),
    agent: z.object({ name: z.string() }),
    agent_paused: z.boolean().describe('True while people answer, and not the agent.'),
    conversation: visitorConversation.nullable().describe("The visitor's newest."),
  })
  .meta({ id: 'VisitorSession' })

interface Dependencies {
  db: Kysely<Tables>
  box: SecretBox
  /** Signs visitor tokens. */
  tokenKey: string
  /** Null: links in mails lead nowhere. */
  publicUrl: string | null
}

/** A visitor who comes back after this time begins a new session. */
const SESSION_LASTS_MS = 30 * 60 * 1000

/**
 * Admits a visitor to a widget, or renews their token. Stores nothing.
 * @throws ApiError invalid_visitor, identity_refused, identity_required
 */
export async function openSession(
  { db, box, tokenKey, publicUrl }: Dependencies,
  widget: OpenedWidget,
  body: SessionBody,
  shown: string | undefined,
  nowMs: number,
): Promise<z.output<typeof sessionSchema>> {
  const { row } = widget
  const earlier = body.visitor_token ? checkToken(body.visitor_token, widget, tokenKey, nowMs) : null
  const user = row.identity === 'off' || !body.user ? (earlier?.user ?? null) : proveUser(row, body.user, box)
  const claims: VisitorClaims = {
    widget: row.id,
    visitor: earlier?.visitor ?? `${VISITOR_PREFIX}${randomUUID().replaceAll('-', '')}`,
    session: sessionOf(earlier, user, nowMs),
    issued: nowMs,
    language: body.language ?? earlier?.language ?? null,
    user,
  }
  const visitor = visitorOf(claims, widget)
  const agent = await readAgent(db, row.agent_id)
  const newest = await newestOfVisitor(db, visitor)
  const conversation = newest ? await readForVisitor(db, newest.id) : null
  const look = lookOf(row)
  const chosen = chooseTexts(textsOf(row), claims.language, shown)
  // In the language of the chat: two languages in one window read badly.
  const language = chosen.language ?? shown ?? claims.language
  const occasion = { now: nowMs, channel: 'widget', language, customer: null }
  const away = awayNotice(inConversation(agent, occasion).settings, language, nowMs)
  return {
    visitor_token: writeVisitorToken(claims, tokenKey),
    visitor_id: claims.visitor,
    verified: visitor.isVerified,
    user: user && { id: user.id, name: user.name },
    widget: {
      look: { ...look, title: look.title || agent.name },
      language: chosen.language,
      texts: {
        ...chosen.texts,
        greeting: [chosen.texts.greeting, away?.content].filter(Boolean).join('\n\n') || null,
      },
      identity: row.identity,
      uploads: uploadsOf(row),
      mail: publicUrl !== null && (await sendsMail(db, row)),
    },
    agent: { name: agent.name },
    agent_paused: agent.isPaused || (conversation?.ended_at === null && conversation.agent_paused),
    conversation,
  }
}

async function sendsMail(db: Kysely<Tables>, { continue_by }: OpenedWidget['row']): Promise<boolean> {
  const [channel] = continue_by === null ? [] : await selectChannel(db, { id: continue_by })
  return channel?.active === 1
}

/** Returns the site's user, whose id the hash proves. @throws ApiError identity_refused */
function proveUser(
  { id: widgetId, identity_secret, secret_version }: OpenedWidget['row'],
  { id, name, hash }: NonNullable<SessionBody['user']>,
  box: SecretBox,
): NonNullable<VisitorClaims['user']> {
  const secret = box.open(identity_secret, secretPlace(widgetId))
  const expected = createHmac('sha256', secret).update(id).digest('hex')
  if (!equalInConstantTime(hash.toLowerCase(), expected)) throw new ApiError('identity_refused')
  return { id, name: name?.trim() || null, version: secret_version }
}

/** Returns the id of the session, which continues for the same person within SESSION_LASTS_MS. */
function sessionOf(earlier: VisitorClaims | null, user: VisitorClaims['user'], nowMs: number): string {
  const goesOn =
    earlier !== null && earlier.user?.id === user?.id && earlier.issued > nowMs - SESSION_LASTS_MS
  return goesOn ? earlier.session : `session_${randomUUID().replaceAll('-', '')}`
}
