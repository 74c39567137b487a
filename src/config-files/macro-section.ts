import { parsePart } from '../http/schemas.ts'
import { valueAt } from '../lib/value-at.ts'
import { newMacro } from '../macros/macro.ts'
import { macroPatch } from '../macros/routes.ts'
import { changeMacro, createMacro, removeMacro, wholeActions } from '../macros/save-macro.ts'
import { selectMacros } from '../macros/store.ts'
import { plain } from './item.ts'
import { differing } from './saving.ts'
import type { Context, Section } from './section.ts'

const shared = newMacro.omit({ shared: true })

const keeperIn = ({ agentId, by: { actor } }: Context) => ({ agentId, actor, right: 'own' as const })

/** The shared macros. What people keep for themselves is in no file. */
export const macros: Section = {
  title: 'macro',
  nameOf: ({ name }) => String(name),
  parse: (item) => plain(parsePart(shared, item)),
  async read({ db, box, agentId }) {
    const rows = await selectMacros(db, agentId, null)
    return rows
      .map((row) => ({ id: row.id, item: plain({ name: row.name, actions: wholeActions(row, box) }) }))
      .sort((one, other) => one.id - other.id)
  },
  secrets: ({ actions }) =>
    (Array.isArray(actions) ? actions : []).flatMap((action, at) =>
      valueAt(action, ['type']) === 'call_webhook'
        ? [{ path: ['actions', at, 'secret'], url: String(valueAt(action, ['url'])) }]
        : [],
    ),
  async create(context, item) {
    const macro = { ...parsePart(shared, item), shared: true }
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
