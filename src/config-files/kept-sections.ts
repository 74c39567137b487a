import { parsePart } from '../http/schemas.ts'
import { changeView, createView, removeView } from '../inbox/views/save-view.ts'
import { newView, queryOf, viewPatch } from '../inbox/views/saved-view.ts'
import { selectViews } from '../inbox/views/store.ts'
import { valueAt, withValue } from '../lib/value-at.ts'
import { newMacro } from '../macros/macro.ts'
import { macroPatch } from '../macros/routes.ts'
import { changeMacro, createMacro, removeMacro, wholeActions } from '../macros/save-macro.ts'
import { selectMacros } from '../macros/store.ts'
import { plain } from './item.ts'
import { differing, presentOf } from './saving.ts'
import type { Context, Section } from './section.ts'

// Files hold what people share, and nothing that they keep for themselves.

const sharedMacro = newMacro.omit({ shared: true })
const sharedView = newView.omit({ shared: true })

const keeperIn = ({ agentId, by: { actor } }: Context) => ({ agentId, actor, right: 'own' as const })

export const macros: Section = {
  title: 'macro',
  nameOf: ({ name }) => String(name),
  parse: (item) => plain(parsePart(sharedMacro, item)),
  read: async ({ db, box, agentId }) =>
    presentOf(await selectMacros(db, agentId, null), (row) => ({
      name: row.name,
      actions: wholeActions(row, box),
    })),
  secrets: ({ actions }) =>
    (Array.isArray(actions) ? actions : []).flatMap((action, at) =>
      valueAt(action, ['type']) === 'call_webhook'
        ? [{ path: ['actions', at, 'secret'], url: String(valueAt(action, ['url'])) }]
        : [],
    ),
  async create(context, item) {
    const macro = { ...parsePart(sharedMacro, item), shared: true }
    await createMacro(context, keeperIn(context), macro, context.now, context.by)
    return undefined
  },
  async change(context, { id, item: present }, item) {
    const patch = parsePart(macroPatch, differing(present, item))
    await changeMacro(context, keeperIn(context), String(id), patch, context.now, context.by)
    return undefined
  },
  remove: (context, id) => removeMacro(context.db, keeperIn(context), String(id), context.now, context.by),
}

export const views: Section = {
  title: 'view',
  nameOf: ({ name }) => String(name),
  parse: (item) => plain(parsePart(sharedView, item)),
  read: async ({ db, agentId }) =>
    presentOf(await selectViews(db, agentId, null), (row) => ({ name: row.name, query: queryOf(row) })),
  swap(item, swap) {
    const path = ['query', 'channel_id']
    const channel = valueAt(item, path)
    return channel === undefined ? item : withValue(item, path, swap.channel(channel, path))
  },
  async create(context, item) {
    const view = { ...parsePart(sharedView, item), shared: true }
    await createView(context.db, keeperIn(context), view, context.now, context.by)
    return undefined
  },
  async change(context, { id, item: present }, item) {
    const patch = parsePart(viewPatch, differing(present, item))
    await changeView(context.db, keeperIn(context), String(id), patch, context.now, context.by)
    return undefined
  },
  remove: (context, id) => removeView(context.db, keeperIn(context), String(id), context.now, context.by),
}
