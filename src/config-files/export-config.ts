import { isDeepStrictEqual } from 'node:util'
import { Document, visit } from 'yaml'
import { toObject } from '../lib/untrusted-json.ts'
import { agentItem, withoutDefaults } from './agent-item.ts'
import { FORM } from './config-file.ts'
import type { Item } from './item.ts'
import { withoutSecrets } from './secret-values.ts'
import type { Context, Present, Section, Swap } from './section.ts'
import { sections } from './sections.ts'
import { namesOf, toNames } from './swap-names.ts'

/** Writes an agent as a configuration file, without secrets, ids and default values. */
export async function exportConfig(context: Context): Promise<string> {
  const entries = Object.entries(sections)
  const stored = new Map<string, Present[]>()
  for (const [name, section] of entries) stored.set(name, await section.read(context))
  const swap = toNames({
    evaluator: namesOf(sections.evaluators, stored.get('evaluators') ?? []),
    channel: namesOf(sections.channels, stored.get('channels') ?? []),
  })
  const agent = await agentItem.read(context)
  const parts = entries.flatMap(([name, section]) => {
    const items = (stored.get(name) ?? []).map(({ item }) => itemOfFile(item, section, swap))
    return items.length > 0 ? [[name, items]] : []
  })
  return toYaml({
    parley: FORM,
    agent: withoutDefaults(withoutSecrets(agent, agentItem.secrets)),
    ...Object.fromEntries(parts),
  })
}

/** @param present the stored object: secrets that differ from it are shown as new ones */
export function itemOfFile(item: Item, section: Section, swap: Swap, present: Item | null = item): Item {
  const short = shortened(item, section)
  const bare = section.secrets ? withoutSecrets(short, section.secrets, present) : short
  return section.swap ? section.swap(bare, swap) : bare
}

/** Leaves out fields with default values, also within `settings` and `look`. */
function shortened(item: Item, section: Section): Item {
  const isSame = (without: Item) => {
    try {
      return isDeepStrictEqual(section.parse(without), section.parse(item))
    } catch {
      return false
    }
  }
  let short = item
  for (const part of ['settings', 'look'])
    for (const field of Object.keys(toObject(short[part]) ?? {})) {
      const { [field]: _, ...rest } = toObject(short[part]) ?? {}
      if (isSame({ ...short, [part]: rest })) short = { ...short, [part]: rest }
    }
  for (const field of Object.keys(short)) {
    const { [field]: _, ...rest } = short
    if (isSame(rest)) short = rest
  }
  return short
}

/** Writes YAML that keeps the lines of long texts, so that differences show which of them changed. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Map(_key, node) {
      if (node.has('$stored')) node.flow = true
    },
  })
  return document.toString({ lineWidth: 0, blockQuote: 'literal' })
}
