import { parsePart } from '../http/schemas.ts'
import { valueAt } from '../lib/value-at.ts'
import { changeRule, createRule, readRule, removeRule, wholeRule } from '../rules/save-rule.ts'
import { type RuleKind, ruleSchemas } from '../rules/schemas.ts'
import { selectRulesPage } from '../rules/store.ts'
import { plain } from './item.ts'
import { allOf, differing } from './saving.ts'
import type { Section } from './section.ts'
import { swapCondition, swapEvaluator } from './swap-names.ts'

function ruleSection(kind: RuleKind): Section {
  return {
    title: kind,
    nameOf: ({ name }) => String(name),
    parse: (item) => plain(parsePart(ruleSchemas[kind], item)),
    read: ({ db, box, agentId }) =>
      allOf(
        (request) => selectRulesPage(db, agentId, kind, request),
        (row) => wholeRule(row, box),
      ),
    secrets: ({ actions }) =>
      (Array.isArray(actions) ? actions : []).flatMap((action, at) =>
        valueAt(action, ['type']) === 'call_webhook'
          ? [{ path: ['actions', at, 'secret'], url: String(valueAt(action, ['url'])) }]
          : [],
      ),
    swap(item, swap) {
      const swapped = kind === 'automation' ? item : swapEvaluator(item, swap)
      return swapped.condition === undefined ? swapped : swapCondition(swapped, ['condition'], swap)
    },
    async create(context, item) {
      const rule = parsePart(ruleSchemas[kind], item)
      await createRule(context, context.agentId, kind, rule, context.now, context.by)
      return undefined
    },
    async change(context, { id, item: present }, item) {
      const row = await readRule(context.db, context.agentId, kind, String(id))
      await changeRule(context, row, differing(present, item), context.now, context.by)
      return undefined
    },
    async remove({ db, agentId, now, by }, id) {
      await removeRule(db, await readRule(db, agentId, kind, String(id)), now, by)
    },
  }
}

export const guardrails = ruleSection('guardrail')
export const ctas = ruleSection('cta')
export const automations = ruleSection('automation')
