import type { TeamBy } from '../audit/record.ts'
import { createChannel } from '../channels/save-channel.ts'
import { createEvaluator } from '../evaluators/create-evaluator.ts'
import { newEvaluator } from '../evaluators/schemas.ts'
import { addDocument } from '../knowledge/documents/add-document.ts'
import { timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { createNotification } from '../notifications/save-notification.ts'
import { newNotification } from '../notifications/schemas.ts'
import { createReply } from '../replies/save-reply.ts'
import { createRule } from '../rules/save-rule.ts'
import { ruleSchemas } from '../rules/schemas.ts'
import type { Database } from '../storage/opened-database.ts'
import { createWidget } from '../widgets/save-widget.ts'
import { newWidget } from '../widgets/schemas.ts'
import * as shop from './shop.ts'
import type { ShopDocument, Texts } from './texts/texts.ts'

interface Dependencies {
  database: Pick<Database, 'db' | 'engine'>
  box: SecretBox
  outbound: Outbound
}

/** Ids of the channels and the widget that conversations come through, and of the notification that sends events. */
export interface FurnishedShop {
  /** Ids by the channel's kind. */
  channels: Readonly<Record<(typeof shop.channels)[number]['kind'], number>>
  widgetId: number
  notificationId: number
}

/** Gives the demo's agent its documents, rules, channels, canned answers, a webhook and a widget. */
export async function furnishShop(
  { database: { db, engine }, box, ...parts }: Dependencies,
  agentId: number,
  by: TeamBy,
  nowMs: number,
): Promise<FurnishedShop> {
  const now = timestamp(nowMs)
  // No name server is asked for the demo's hosts either.
  const outbound = { ...parts.outbound, checkTarget: async () => {} }
  const saving = { db, box, outbound }
  for (const texts of shop.languages)
    for (const document of texts.documents) {
      const { title, content, questions } = document
      const url = addressOf(texts, document)
      await addDocument(db, agentId, { title, content, questions, url, format: 'markdown' }, nowMs, by)
    }
  for (const { evaluator, guardrail } of shop.guardrails) {
    const { id } = await createEvaluator(saving, agentId, newEvaluator.parse(evaluator), now, by)
    const rule = ruleSchemas.guardrail.parse({ ...guardrail, evaluator_id: id })
    await createRule(saving, agentId, 'guardrail', rule, now, by)
  }
  for (const cta of shop.ctas) await createRule(saving, agentId, 'cta', ruleSchemas.cta.parse(cta), now, by)
  for (const automation of shop.automations)
    await createRule(saving, agentId, 'automation', ruleSchemas.automation.parse(automation), now, by)
  for (const reply of shop.replies) await createReply({ db, engine }, agentId, reply, now, by)
  const wish = newNotification.parse({ ...shop.webhook, active: false })
  const { row: notification } = await createNotification(saving, agentId, wish, now, by)
  const { row: widget } = await createWidget({ db, box }, agentId, newWidget.parse(shop.widget), now, by)
  const ids: [string, number][] = []
  for (const channel of shop.channels) {
    const owner = { agentId, teamId: by.teamId }
    const { id } = await createChannel(saving, owner, { ...channel, active: false, settings: {} }, now, by)
    ids.push([channel.kind, id])
  }
  const channels = Object.fromEntries(ids) as FurnishedShop['channels']
  return { channels, widgetId: widget.id, notificationId: notification.id }
}

/** Returns the address at which a document of the shop can be read. */
export function addressOf({ language }: Texts, { key }: ShopDocument): string {
  return `${shop.SITE}/help/${language}/${key}`
}
