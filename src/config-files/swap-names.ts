import { invalidField } from '../errors.ts'
import { LARGEST_INTEGER } from '../http/schemas.ts'
import { isObject } from '../lib/untrusted-json.ts'
import { type Path, valueAt, withValue } from '../lib/value-at.ts'
import type { Item } from './item.ts'
import type { Present, Section, Swap } from './section.ts'

const EVALUATOR = /^evaluator\.(.+)\.(score|passed)$/s

/** Replaces the evaluators and channels in the condition at a place of an object. */
export function swapCondition(item: Item, path: Path, swap: Swap): Item {
  return withValue(item, path, swapIn(valueAt(item, path), path, swap))
}

function swapIn(condition: unknown, path: Path, swap: Swap): unknown {
  if (!isObject(condition)) return condition
  const { all, any, not, field, value } = condition
  const each = (list: unknown, name: string) =>
    Array.isArray(list) ? list.map((one, at) => swapIn(one, [...path, name, at], swap)) : list
  if (all !== undefined) return { ...condition, all: each(all, 'all') }
  if (any !== undefined) return { ...condition, any: each(any, 'any') }
  if (not !== undefined) return { ...condition, not: swapIn(not, [...path, 'not'], swap) }
  if (field === 'channel' && value !== undefined) {
    const channel = (one: unknown) => swap.channel(one, [...path, 'value'])
    return { ...condition, value: Array.isArray(value) ? value.map(channel) : channel(value) }
  }
  const [, evaluator, result] = typeof field === 'string' ? (EVALUATOR.exec(field) ?? []) : []
  if (evaluator === undefined) return condition
  return { ...condition, field: `evaluator.${swap.evaluator(evaluator, [...path, 'field'])}.${result}` }
}

/** Replaces the evaluator by which a rule acts: `evaluator_id` in requests, `evaluator` in files. */
export function swapEvaluator(item: Item, swap: Swap): Item {
  const { evaluator_id: id, evaluator, ...rest } = item
  if (swap.toNames) {
    if (id === undefined) return rest
    return { ...rest, evaluator: id === null ? null : swap.evaluator(id, ['evaluator']) }
  }
  if (id !== undefined) throw invalidField('evaluator_id', 'is not known here: name the `evaluator`')
  if (evaluator === undefined) return rest
  return { ...rest, evaluator_id: evaluator === null ? null : swap.evaluator(evaluator, ['evaluator']) }
}

/** Names stored objects. Those that share a name are told apart by their order: `Support`, `Support#2`. */
export function namesOf(section: Section, present: readonly Present[]): Map<number, string> {
  const seen = new Map<string, number>()
  return new Map(
    present.map(({ id, item }) => {
      const name = section.nameOf(item)
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      return [id, count === 1 ? name : `${name}#${count}`]
    }),
  )
}

/** Stands in files for a removed channel that something still names. Its id there is one that no row has. */
const REMOVED = 'removed'

/** @param names by id. An evaluator without a name was deleted: it becomes undefined */
export function toNames(names: Record<'evaluator' | 'channel', ReadonlyMap<number, string>>): Swap {
  return {
    toNames: true,
    evaluator: (id) => names.evaluator.get(Number(id)),
    channel: (id) => names.channel.get(Number(id)) ?? REMOVED,
  }
}

/** @param names returns names by id. It is called for each name, because objects get their ids while a file is applied */
export function toIds(names: (kind: 'evaluator' | 'channel') => ReadonlyMap<number, string>): Swap {
  const find = (kind: 'evaluator' | 'channel') => (name: unknown, path: Path) => {
    const found = [...names(kind)].find(([, one]) => one === name)
    if (found) return found[0]
    throw invalidField(path.join('.'), `there is no ${kind} ${JSON.stringify(name)}`)
  }
  const channel = find('channel')
  return {
    toNames: false,
    evaluator: find('evaluator'),
    channel: (name, path) => (name === REMOVED ? LARGEST_INTEGER : channel(name, path)),
  }
}
