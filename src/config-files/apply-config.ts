import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createAgent } from '../agents/create-agent.ts'
import { record } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { type Path, valueAt } from '../lib/value-at.ts'
import { joinParts } from '../storage/waking-db.ts'
import { yieldingTransaction } from '../storage/yielding-transaction.ts'
import { agentItem, withoutDefaults } from './agent-item.ts'
import { withCheckedAddresses } from './checked-addresses.ts'
import { type ConfigFile, isStored } from './config-file.ts'
import { itemOfFile } from './export-config.ts'
import { ConfigFileError, type Item, pathOf, plain, shown } from './item.ts'
import { withoutSecrets, withStored } from './secret-values.ts'
import type { Context, Present, Section, Swap } from './section.ts'
import { type SectionName, sectionNames, sections } from './sections.ts'
import { namesOf, toIds, toNames } from './swap-names.ts'

/** A difference between a file and what is stored. */
export interface Change {
  action: 'added' | 'changed' | 'removed'
  kind: string
  name: string
  /** The objects as a file would hold them, without secrets; null where there is none. */
  before: Item | null
  after: Item | null
}

export interface Applied {
  agentId: number
  changes: Change[]
  /** Secrets that were made, which nobody can read again. */
  secrets: { kind: string; name: string; secret: string }[]
  /** The places of secrets that are to stay as they are stored although none is stored. */
  leftOut: Path[]
}

interface ApplyOptions {
  /** Changes nothing, but finds all that would be changed, and all errors. */
  dryRun: boolean
  /** Removes what the sections of the file do not have. */
  prune: boolean
  /** Leaves out secrets that are to stay although none is stored. Otherwise these are errors. */
  withoutSecrets: boolean
}

/**
 * Brings an agent to what a file says: everything, or nothing when there is an error.
 * @param target the agent's id; null for a new agent of the team, named as in the file
 * @throws ConfigFileError
 */
export async function applyConfig(
  { db, ...dependencies }: Omit<Context, 'agentId'>,
  target: number | null,
  given: ConfigFile,
  options: ApplyOptions,
): Promise<Applied> {
  // Hosts and platforms are asked before the transaction, because others may wait for its locks.
  const file = await completedByPlatforms({ ...dependencies, db }, target, given)
  const outbound = await withCheckedAddresses(dependencies.outbound, [file.agent, ...file.sections.values()])
  const { engine } = dependencies
  for (let attempts = 1; ; attempts++) {
    try {
      // It locks rows in the order of the file, and gives way to transactions that lock them in another order.
      return await yieldingTransaction(db, engine, async (transaction) => {
        const db = joinParts(transaction)
        const changes: Change[] = []
        const agentId = target ?? (await addAgent({ ...dependencies, db }, file, changes))
        const done: Applied = { agentId, changes, secrets: [], leftOut: [] }
        await applySections({ ...dependencies, db, outbound, agentId }, file, options, done)
        if (options.dryRun) throw new DryRun(done)
        return done
      })
    } catch (error) {
      if (error instanceof DryRun) return error.done
      if (!engine.isLocked(error)) throw error
      if (attempts === MOST_ATTEMPTS)
        throw new Error('others are changing the same just now: nothing is applied', { cause: error })
    }
    await wait(Math.random() * LONGEST_PAUSE_MS)
  }
}

/** Returns a file whose new objects are completed with what their platforms say about them. */
async function completedByPlatforms(
  context: Omit<Context, 'agentId'>,
  target: number | null,
  file: ConfigFile,
): Promise<ConfigFile> {
  const sectionsThen = [...file.sections].map(async ([name, items]) => {
    const { ask, read }: Section = sections[name]
    if (!ask) return [name, items] as const
    const stored = target === null ? [] : await read({ ...context, agentId: target })
    const { pairs } = matched(name, items, stored)
    const asked = pairs.map(({ item, present }) => (present ? item : ask(context, item)))
    return [name, await Promise.all(asked)] as const
  })
  return { ...file, sections: new Map(await Promise.all(sectionsThen)) }
}

/** The number of attempts that take about half a minute. */
const MOST_ATTEMPTS = 50
const LONGEST_PAUSE_MS = 500

/** Takes back the transaction of a dry run. */
class DryRun extends Error {
  readonly done: Applied

  constructor(done: Applied) {
    super()
    this.done = done
  }
}

async function addAgent(
  { db, by, now, nowMs }: Omit<Context, 'agentId' | 'outbound'>,
  { agent }: ConfigFile,
  changes: Change[],
): Promise<number> {
  const { name } = agent ?? {}
  if (typeof name !== 'string' || name === '')
    throw new ConfigFileError(['agent'], 'agent.name: a new agent needs a name')
  const { agentId } = await createAgent(db, { name, teamId: by.teamId, nowMs })
  await record(db, { ...by, agentId, at: now, action: 'agent.created', target: `agent ${agentId}` })
  changes.push({ action: 'added', kind: 'agent', name, before: null, after: { name } })
  return agentId
}

async function applySections(
  context: Context,
  file: ConfigFile,
  options: ApplyOptions,
  done: Applied,
): Promise<void> {
  const stored = new Map<SectionName, Present[]>()
  for (const name of new Set([...Object.values(NAMED), ...file.sections.keys()]))
    stored.set(name, await sections[name].read(context))
  const ofFile = new Map(
    [...file.sections].map(([name, items]) => [name, matched(name, items, stored.get(name) ?? [])]),
  )
  /** The stored objects that the file does not have, if they are to go. */
  const going = (name: SectionName) => (options.prune && ofFile.get(name)?.left) || []
  const namesNow = (kind: Named) => namesOf(sections[NAMED[kind]], stored.get(NAMED[kind]) ?? [])
  const namesThatStay = (kind: Named) => {
    const ids = new Set(going(NAMED[kind]).map(({ id }) => id))
    return new Map([...namesNow(kind)].filter(([id]) => !ids.has(id)))
  }
  const swapBack = () => toNames({ evaluator: namesNow('evaluator'), channel: namesNow('channel') })

  await applyAgent()
  for (const name of sectionNames) await applySection(name)
  // What referred to an object is changed or gone by its turn.
  for (const name of sectionNames.toReversed()) await removeGoing(name)

  async function applySection(name: SectionName): Promise<void> {
    const section: Section = sections[name]
    for (const { item, path, present } of ofFile.get(name)?.pairs ?? [])
      await at(path, async () => {
        const wish = wished(section, item, path, present)
        if (present && isSame(section, wish, normal(section, present.item))) return
        const made = present
          ? await section.change(context, present, wish)
          : await section.create(context, wish)
        const title = section.nameOf(wish)
        if (made !== undefined) {
          done.secrets.push({ kind: section.title, name: title, secret: made })
          done.leftOut = done.leftOut.filter((place) => !isWithin(place, path))
        }
        done.changes.push(
          changeOf(present ? 'changed' : 'added', section, present?.item ?? null, wish, swapBack()),
        )
      })
    // Later sections refer to these objects by their new names.
    if (Object.values<SectionName>(NAMED).includes(name)) stored.set(name, await section.read(context))
  }

  async function removeGoing(name: SectionName): Promise<void> {
    const section: Section = sections[name]
    for (const { id, item } of going(name)) {
      const kept = `"${section.nameOf(item)}" cannot be removed: `
      await at([name], () => section.remove(context, id), kept)
      done.changes.push(changeOf('removed', section, item, null, swapBack()))
    }
  }

  /** Tells whether a stored object is as a file wants it, apart from references to objects that no longer exist. */
  function isSame(section: Section, wish: Item, present: Item): boolean {
    const named = (item: Item) => plain(section.swap?.(item, swapBack()) ?? item)
    return isDeepStrictEqual(wish, present) || isDeepStrictEqual(named(wish), named(present))
  }

  function wished(section: Section, item: Item, path: Path, present: Present | null): Item {
    const swapped = section.swap ? section.swap(item, toIds(namesThatStay)) : item
    const whole = completed(swapped, present?.item ?? null, section.secrets, path)
    const parsed = section.parse(whole)
    return section.keep && present ? plain(section.keep(parsed, present.item, options.prune)) : parsed
  }

  /** Returns an object with the stored secrets that stay. */
  function completed(item: Item, present: Item | null, secrets: Section['secrets'], path: Path): Item {
    const isToStay = (place: Path) => isStored(file, [...path, ...place])
    const whole = present && secrets ? withStored(item, present, secrets, isToStay) : item
    for (const place of file.stored) {
      if (!isWithin(place, path)) continue
      const inside = place.slice(path.length)
      if (valueAt(whole, inside) !== undefined) continue
      if (!options.withoutSecrets)
        throw new ConfigFileError(
          place,
          `${shown(place)}: no secret is stored here for this address: give it as $env or $file, or go on without it with --without-secrets`,
        )
      done.leftOut.push(place)
    }
    return whole
  }

  async function applyAgent(): Promise<void> {
    const item = file.agent
    if (item === null) return
    await at(['agent'], async () => {
      const present = await agentItem.read(context)
      const whole = completed(item, present, agentItem.secrets, ['agent'])
      const wish = { ...agentItem.parse(whole), name: item.name ?? present.name }
      if (isDeepStrictEqual(plain(wish), present)) return
      await agentItem.change(context, present, plain(wish))
      done.changes.push({
        action: 'changed',
        kind: 'agent',
        name: String(wish.name),
        before: withoutDefaults(withoutSecrets(present, agentItem.secrets)),
        after: withoutDefaults(withoutSecrets(plain(wish), agentItem.secrets, present)),
      })
    })
  }
}

/** Sections whose objects others refer to by their names. */
const NAMED = { evaluator: 'evaluators', channel: 'channels' } as const
type Named = keyof typeof NAMED

interface Matched {
  pairs: { item: Item; path: Path; present: Present | null }[]
  /** The stored objects that the file does not have. */
  left: Present[]
}

/** Finds the stored object for each object of a file, by name. Objects of the same name are matched in their order. */
function matched(name: SectionName, items: readonly Item[], present: readonly Present[]): Matched {
  const { nameOf } = sections[name]
  const left = [...present]
  const pairs = items.map((item, index) => {
    const found = left.findIndex((one) => nameOf(one.item) === nameOf(item))
    const [same = null] = found < 0 ? [] : left.splice(found, 1)
    return { item, path: [name, index], present: same }
  })
  return { pairs, left }
}

/** Returns a stored object with today's defaults, so that it can be compared. */
function normal(section: Section, item: Item): Item {
  try {
    return section.parse(item)
  } catch {
    // An earlier version allowed it.
    return item
  }
}

function changeOf(
  action: Change['action'],
  section: Section,
  before: Item | null,
  after: Item | null,
  swap: Swap,
): Change {
  return {
    action,
    kind: section.title,
    name: section.nameOf(after ?? before ?? {}),
    before: before && itemOfFile(before, section, swap),
    after: after && itemOfFile(after, section, swap, before),
  }
}

/** True if a place is that of an object of the file, or in it. */
function isWithin(place: Path, path: Path): boolean {
  return path.every((name, depth) => name === place[depth])
}

/**
 * Runs work on an object of a file. Its errors say where in the file the object stands.
 * @param what the first words of these errors
 */
async function at(path: Path, work: () => Promise<void>, what = ''): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { param, message } = error
    const inside = param === null ? [] : pathOf(param)
    // The message of a field that is not valid begins with its name.
    const place = param !== null && message.startsWith(`${param}: `) ? '.' : ': '
    throw new ConfigFileError([...path, ...inside], `${shown(path)}${place}${what}${message}`)
  }
}
