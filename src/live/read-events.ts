import type { Kysely } from 'kysely'
import { readAgents } from '../agents/agent.ts'
import type { LoggedChange } from '../events/change.ts'
import type { LogRow } from '../events/change-log.ts'
import type { Tables } from '../storage/tables.ts'
import { presentMessage } from '../transcripts/conversations/present.ts'
import {
  readForVisitors,
  type VisitorConversation,
} from '../transcripts/conversations/visitor-conversations.ts'
import {
  presentChanged,
  readConversations,
  readMessages,
  readSaidEverywhere,
} from '../transcripts/doors/read-changed.ts'
import { presentToVisitors, type VisitorMessage } from '../transcripts/messages/present-to-visitors.ts'
import { isShownToSites } from '../transcripts/messages/shown-to-sites.ts'
import type { ConversationRow, MessageRow } from '../transcripts/tables.ts'

/** The event that reports a change. */
export interface LiveEvent {
  row: LogRow
  /** The index of the change in its row, from 0. */
  at: number
  /** The conversation; null when the event goes to those who listen to the agent. */
  conversationId: string | null
  /** True if those who listen to the whole agent get it too. */
  isForAgent: boolean
  /** The team's view; null when it gets no event, as in the other views. */
  team: object | null
  /** The view of a web site's own server. */
  site: object | null
  /** The view of a visitor of a widget. */
  visitor: object | null
}

/** The listeners to events. */
export interface Audience {
  listensTo(agentId: number, conversationId: string | null): boolean
  /** True if visitors of widgets listen to a conversation. */
  hasVisitors(conversationId: string): boolean
  /** Returns the conversations of an agent that have listeners of their own. */
  conversationsOf(agentId: number): readonly string[]
}

/**
 * Reads the present state that rows of the log report to the audience: in the order of the rows, once for all
 * listeners.
 */
export async function readEvents(
  db: Kysely<Tables>,
  rows: readonly LogRow[],
  audience: Audience,
): Promise<LiveEvent[]> {
  const heard = rows.flatMap((row) => {
    const isHeard = audience.listensTo(row.agentId, row.conversationId)
    const ofAgent = row.conversationId === null && audience.conversationsOf(row.agentId).length > 0
    return isHeard || ofAgent ? row.changes.map((change, at) => ({ row, at, change })) : []
  })
  const messages = await readMessages(
    db,
    heard.flatMap(({ change }) => ('message_id' in change ? change.message_id : [])),
  )
  const conversations = await readConversations(
    db,
    heard.flatMap(({ row, change }) => (change.type === 'conversation' ? (row.conversationId ?? []) : [])),
  )
  const agents = await readAgents(
    db,
    heard.flatMap(({ row, change }) => (change.type === 'agent' ? row.agentId : [])),
  )
  const visited = await readForVisitorsOf(db, heard, messages, audience)
  const events: LiveEvent[] = []
  for (const { row, at, change } of heard) {
    const told = { row, at, conversationId: row.conversationId, isForAgent: true }
    const common = { type: change.type, conversation_id: row.conversationId, at: row.at }
    if (change.type === 'agent') {
      const agent = agents.get(row.agentId)
      if (!agent) continue
      const { id, name, isPaused: is_paused, pausedAt: paused_at, resumedAt: resumed_at } = agent
      const team = { ...common, agent: { id, name, is_paused, paused_at, resumed_at } }
      events.push({ ...told, team, site: null, visitor: null })
      for (const conversationId of audience.conversationsOf(row.agentId)) {
        if (!audience.hasVisitors(conversationId)) continue
        const visitor = { ...common, agent: { is_paused } }
        events.push({ ...told, conversationId, isForAgent: false, team: null, site: null, visitor })
      }
      const said = await saidEverywhere(row, change)
      const shown = await presentToVisitors(db, said.filter(isVisited))
      for (const message of said)
        events.push({
          ...told,
          conversationId: message.conversation_id,
          isForAgent: false,
          ...seen(
            { ...common, type: 'message', conversation_id: message.conversation_id },
            message,
            shown.find(({ id }) => id === message.id),
          ),
        })
    } else if (change.type === 'replies') {
      events.push({ ...told, team: common, site: null, visitor: null })
    } else if (change.type === 'conversation') {
      const conversation = conversations.get(row.conversationId ?? '')
      const shown = visited.conversations.get(row.conversationId ?? '')
      if (conversation) events.push({ ...told, ...seenFields(common, conversation, change.fields, shown) })
    } else {
      const message = messages.get(change.message_id)
      if (message) events.push({ ...told, ...seen(common, message, visited.messages.get(message.id)) })
    }
  }
  return events

  function isVisited({ conversation_id }: MessageRow): boolean {
    return audience.hasVisitors(conversation_id)
  }

  async function saidEverywhere({ agentId }: LogRow, { said_at }: LoggedChange & { type: 'agent' }) {
    return said_at === undefined ? [] : readSaidEverywhere(db, audience.conversationsOf(agentId), said_at)
  }
}

type Heard = { row: LogRow; change: LoggedChange }

/**
 * Reads the visitors' view of the conversations that visitors of widgets listen to. Usually there are none, and nothing
 * is read.
 */
async function readForVisitorsOf(
  db: Kysely<Tables>,
  heard: readonly Heard[],
  messages: ReadonlyMap<number, MessageRow>,
  audience: Audience,
) {
  const rows = [...messages.values()].filter(({ conversation_id }) => audience.hasVisitors(conversation_id))
  const shown = await presentToVisitors(db, rows)
  const changed = heard.flatMap(({ row: { conversationId }, change }) =>
    change.type === 'conversation' && conversationId !== null && audience.hasVisitors(conversationId)
      ? conversationId
      : [],
  )
  return {
    messages: new Map(shown.map((message) => [message.id, message])),
    conversations: await readForVisitors(db, [...new Set(changed)]),
  }
}

type Seen = Pick<LiveEvent, 'team' | 'site' | 'visitor'>

function seen(common: object, row: MessageRow, shown: VisitorMessage | undefined): Seen {
  const team = { ...common, message: presentMessage(row) }
  return {
    team,
    site: isShownToSites(row) ? team : null,
    visitor: shown ? { ...common, message: shown } : null,
  }
}

/** The fields of a conversation that change its visitor's view. */
const VISITOR_FIELDS = ['started_at', 'ended_at', 'agent_paused', 'waiting_since', 'waiting_reason', 'rating']

function seenFields(
  common: object,
  row: ConversationRow,
  fields: readonly string[],
  visitors: VisitorConversation | undefined,
): Seen {
  const { shown, internal } = presentChanged(row, fields)
  const known = fields.filter((name) => Object.hasOwn(shown, name))
  return {
    team: { ...common, fields, conversation: { ...shown, ...internal } },
    site: known.length > 0 ? { ...common, fields: known, conversation: shown } : null,
    visitor:
      visitors && fields.some((name) => VISITOR_FIELDS.includes(name))
        ? { ...common, conversation: visitors }
        : null,
  }
}
