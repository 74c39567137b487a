import { addressOfSecret, readChannel, toChannel } from '../channels/channel.ts'
import { changeChannel, createChannel, learn, removeChannel } from '../channels/save-channel.ts'
import { channelPatch, newChannel } from '../channels/schemas.ts'
import { changeTarget, createTarget, removeTarget } from '../desk/targets/save-target.ts'
import { newTarget, presentTarget, targetPatch } from '../desk/targets/target.ts'
import { createEvaluator } from '../evaluators/create-evaluator.ts'
import { deleteEvaluator } from '../evaluators/delete-evaluator.ts'
import { listEvaluators } from '../evaluators/find-evaluator.ts'
import { evaluatorPatch, newEvaluator, presentEvaluator } from '../evaluators/schemas.ts'
import { secretPlace as evaluatorSecret } from '../evaluators/secret-place.ts'
import { updateEvaluator } from '../evaluators/update-evaluator.ts'
import { parsePart } from '../http/schemas.ts'
import { isSentToPlatform } from '../lib/secrets/sealed-places.ts'
import { valueAt, withValue } from '../lib/value-at.ts'
import { selectChannelsPage } from '../mailboxes/channel-store.ts'
import { secretPlace as notificationSecret } from '../notifications/notification.ts'
import {
  changeNotification,
  createNotification,
  removeNotification,
} from '../notifications/save-notification.ts'
import { newNotification, notificationPatch, presentNotification } from '../notifications/schemas.ts'
import { selectNotificationsPage } from '../notifications/store.ts'
import type { ChannelSettings } from '../platforms/platform.ts'
import { type PlatformKind, platforms } from '../platforms/platforms.ts'
import { newReply, replyPatch } from '../replies/routes.ts'
import { changeReply, createReply, removeReply } from '../replies/save-reply.ts'
import { selectReplies } from '../replies/store.ts'
import { evaluatorIsAsked } from '../rules/evaluator-is-asked.ts'
import { readTargets } from '../targets/store.ts'
import { idempotenceOf } from '../tools/idempotence.ts'
import { presentTool } from '../tools/present-tool.ts'
import { requirementFor } from '../tools/requirement.ts'
import { createTool, deleteTool, updateTool } from '../tools/save-tool.ts'
import { newTool, toolPatch } from '../tools/schemas.ts'
import { openHeaders } from '../tools/secret-place.ts'
import { selectToolsPage } from '../tools/store.ts'
import { changeWidget, createWidget, removeWidget } from '../widgets/save-widget.ts'
import { newWidget, presentWidget, widgetPatch } from '../widgets/schemas.ts'
import { channelIsUsed, selectWidgetsPage } from '../widgets/store.ts'
import { datasets } from './dataset-section.ts'
import { type Item, plain } from './item.ts'
import { macros, views } from './kept-sections.ts'
import { automations, ctas, guardrails } from './rule-sections.ts'
import { allOf, differing, merging, presentOf, refuseChange } from './saving.ts'
import type { Section } from './section.ts'
import { swapCondition } from './swap-names.ts'

const named = ({ name }: Item) => String(name)

const tools: Section = {
  title: 'tool',
  nameOf: named,
  parse(item) {
    const tool = parsePart(newTool, item)
    const requires = requirementFor(tool.kind, tool, tool.requires)
    return plain({ ...tool, requires, idempotent: idempotenceOf(tool) })
  },
  read: ({ db, box, agentId }) =>
    allOf(
      (request) => selectToolsPage(db, agentId, request),
      (row) => {
        const { id: _, version: __, created_at: ___, updated_at: ____, ...tool } = presentTool(row, box)
        return { ...tool, headers: openHeaders(box, row) }
      },
    ),
  secrets: ({ headers, url }) =>
    Object.keys(headers ?? {}).map((name) => ({ path: ['headers', name], url: String(url) })),
  async create(context, item) {
    await createTool(context, context.agentId, parsePart(newTool, item), context.now, context.by)
    return undefined
  },
  async change(context, { id, item: present }, item) {
    refuseChange('kind', present, item)
    const { headers, ...fields } = differing(present, item)
    // A change of the address or the method resets these three, unless the same patch sets them.
    const { headers: all, requires, idempotent } = 'url' in fields || 'method' in fields ? item : {}
    const given = headers ?? all
    const patch = {
      ...plain({ requires, idempotent }),
      ...fields,
      ...(given ? { headers: merging(present.headers, given) } : {}),
    }
    await updateTool(context, context.agentId, id, parsePart(toolPatch, patch), context.now, context.by)
    return undefined
  },
  remove: ({ db, agentId, now, by }, id) => deleteTool({ db }, agentId, id, now, by),
}

const evaluators: Section = {
  title: 'evaluator',
  nameOf: named,
  parse: (item) => plain(parsePart(newEvaluator, item)),
  async read({ db, box, agentId }) {
    return presentOf(await listEvaluators(db, agentId), (row) => {
      const { name, kind, settings, threshold, invert, on_error } = presentEvaluator(row, box)
      const { secret, url } = JSON.parse(row.settings)
      const opened = secret ? box.openFor(url, secret, evaluatorSecret(row.id)) : null
      const whole = 'secret' in settings ? { ...settings, secret: opened } : settings
      return { name, kind, settings: whole, threshold, invert, on_error }
    })
  },
  secrets: ({ kind, settings }) =>
    kind === 'webhook' ? [{ path: ['settings', 'secret'], url: String(valueAt(settings, ['url'])) }] : [],
  swap: (item, swap) =>
    item.kind === 'condition' ? swapCondition(item, ['settings', 'condition'], swap) : item,
  async create(context, item) {
    await createEvaluator(context, context.agentId, parsePart(newEvaluator, item), context.now, context.by)
    return undefined
  },
  async change(context, { id, item: present }, item) {
    refuseChange('kind', present, item)
    const { settings, ...fields } = differing(present, item)
    const patch = { ...fields, ...(settings ? { settings: merging(present.settings, settings) } : {}) }
    const parsed = parsePart(evaluatorPatch, patch)
    await updateEvaluator(context, context.agentId, id, parsed, context.now, context.by)
    return undefined
  },
  remove: ({ db, agentId, now, by }, id) => deleteEvaluator(db, agentId, id, evaluatorIsAsked, now, by),
}

/** Leaves out the secrets that the service makes for each channel. */
function withoutMade(kind: PlatformKind, settings: ChannelSettings): Item {
  return (platforms[kind].makes ?? []).reduce<Item>(
    (rest, name) => withValue(rest, [name], undefined),
    settings,
  )
}

const channels: Section = {
  title: 'channel',
  nameOf: ({ kind, name }) => (name ? `${kind}: ${name}` : String(kind)),
  parse(item) {
    const { kind, name = null, active = true, settings } = parsePart(newChannel, item)
    return plain({ kind, name, active, settings: parsePart(platforms[kind].settings, settings, 'settings') })
  },
  read: ({ db, box, agentId }) =>
    allOf(
      (request) => selectChannelsPage(db, agentId, request),
      (row) => {
        const { kind, name, isActive, settings } = toChannel(row, box)
        return { kind, name, active: isActive, settings: withoutMade(kind, settings) }
      },
    ),
  secrets: ({ kind, settings }) =>
    (Object.hasOwn(platforms, String(kind)) ? platforms[kind as PlatformKind].secrets : []).map((name) => ({
      path: ['settings', ...name.split('.')],
      url: isSentToPlatform(name) ? (addressOfSecret(settings as ChannelSettings, name) ?? null) : null,
    })),
  /** Keeps the settings that Parley has learned from the platform. */
  keep(item, present) {
    const told = platforms[item.kind as PlatformKind].learns
      .map((name) => [name, valueAt(present, ['settings', name])])
      .filter(([, value]) => value !== undefined)
    return { ...item, settings: { ...Object.fromEntries(told), ...(item.settings as Item) } }
  },
  async ask({ outbound, by }, item) {
    const channel = newChannel.safeParse(item).data
    const platform = channel && platforms[channel.kind]
    const settings = platform?.settings.safeParse(channel?.settings).data
    return platform && settings
      ? { ...item, settings: await learn({ outbound }, by.teamId, platform, settings) }
      : item
  },
  async create(context, item) {
    const owner = { agentId: context.agentId, teamId: context.by.teamId }
    await createChannel(context, owner, parsePart(newChannel, item), context.now, context.by)
    return undefined
  },
  async change(context, { id, item: present }, item) {
    const { settings, active } = differing(present, item)
    const patch = {
      ...(active === undefined ? {} : { active }),
      ...(settings ? { settings: merging(present.settings, settings) } : {}),
    }
    const channel = await readChannel(context.db, context.box, context.agentId, String(id))
    await changeChannel(context, channel, parsePart(channelPatch, patch), context.now, context.by)
    return undefined
  },
  remove: ({ db, agentId, now, by }, id) => removeChannel(db, agentId, id, channelIsUsed, now, by),
}

const widgets: Section = {
  title: 'widget',
  nameOf: named,
  parse: (item) => plain(parsePart(newWidget, item)),
  read: ({ db, agentId }) =>
    allOf(
      (request) => selectWidgetsPage(db, agentId, request),
      (row) => {
        const { id: _, public_key: __, version: ___, created_at, updated_at, ...widget } = presentWidget(row)
        return widget
      },
    ),
  swap: (item, swap) =>
    item.continue_by == null
      ? item
      : { ...item, continue_by: swap.channel(item.continue_by, ['continue_by']) },
  create: async (context, item) =>
    (await createWidget(context, context.agentId, parsePart(newWidget, item), context.now, context.by))
      .secret,
  async change(context, { id, item: present }, item) {
    const { texts, ...fields } = differing(present, item)
    const patch = { ...fields, ...(texts ? { texts: merging(present.texts, texts) } : {}) }
    const parsed = parsePart(widgetPatch, patch)
    await changeWidget(context, context.agentId, String(id), parsed, context.now, context.by)
    return undefined
  },
  remove: ({ db, agentId, now, by }, id) => removeWidget({ db }, agentId, String(id), now, by),
}

const notifications: Section = {
  title: 'notification',
  nameOf: named,
  parse: (item) => plain(parsePart(newNotification, item)),
  read: ({ db, box, agentId }) =>
    allOf(
      (request) => selectNotificationsPage(db, agentId, request),
      (row) => {
        const { name, url, security, events, active } = presentNotification(row)
        const secret = box.openFor(url, row.secret, notificationSecret(row.id, 'secret'))
        return { name, url, security, events, active, ...(secret === null ? {} : { secret }) }
      },
    ),
  secrets: ({ url }) => [{ path: ['secret'], url: String(url) }],
  create: async (context, item) => {
    const wish = parsePart(newNotification, item)
    const { secret } = await createNotification(context, context.agentId, wish, context.now, context.by)
    return wish.secret === undefined ? secret : undefined
  },
  async change(context, { id, item: present }, item) {
    const fields = differing(present, item)
    // A change of the address makes a new secret, unless the same patch sets one.
    const { secret } = 'url' in fields ? item : {}
    const patch = parsePart(notificationPatch, { ...plain({ secret }), ...fields })
    return (await changeNotification(context, context.agentId, id, patch, context.now, context.by)).secret
  },
  remove: ({ db, agentId, now, by }, id) => removeNotification({ db }, agentId, id, now, by),
}

const replies: Section = {
  title: 'reply',
  nameOf: ({ shortcut }) => String(shortcut),
  parse: (item) => plain(parsePart(newReply, item)),
  read: ({ db, agentId }) =>
    allOf(
      (request) => selectReplies(db, agentId, [], request),
      ({ shortcut, content, tags }) => ({ shortcut, content, tags: JSON.parse(tags) }),
    ),
  async create({ db, engine, agentId, now, by }, item) {
    await createReply({ db, engine }, agentId, parsePart(newReply, item), now, by)
    return undefined
  },
  async change({ db, engine, agentId, now, by }, { id, item: present }, item) {
    const patch = parsePart(replyPatch, differing(present, item))
    await changeReply({ db, engine }, agentId, String(id), patch, now, by)
    return undefined
  },
  remove: ({ db, engine, agentId, now, by }, id) => removeReply({ db, engine }, agentId, String(id), now, by),
}

const targets: Section = {
  title: 'target',
  nameOf: named,
  parse: (item) => plain(parsePart(newTarget, item)),
  async read({ db, agentId }) {
    return presentOf(await readTargets(db, agentId), (row) => {
      const { id: _, version: __, created_at: ___, updated_at: ____, ...target } = presentTarget(row)
      return target
    })
  },
  swap: (item, swap) => (item.condition == null ? item : swapCondition(item, ['condition'], swap)),
  async create({ db, agentId, now, by }, item) {
    await createTarget(db, agentId, parsePart(newTarget, item), now, by)
    return undefined
  },
  async change({ db, agentId, now, by }, { id, item: present }, item) {
    const patch = parsePart(targetPatch, differing(present, item))
    await changeTarget(db, agentId, id, patch, now, by)
    return undefined
  },
  remove: ({ db, agentId, now, by }, id) => removeTarget(db, agentId, id, now, by),
}

/**
 * The sections of a file, by their names, in the order in which they are written and applied: a section comes after
 * those that it refers to.
 */
export const sections = {
  channels,
  evaluators,
  guardrails,
  ctas,
  automations,
  tools,
  replies,
  macros,
  views,
  targets,
  widgets,
  notifications,
  datasets,
} as const satisfies Record<string, Section>

export type SectionName = keyof typeof sections

export const sectionNames = Object.keys(sections) as SectionName[]
