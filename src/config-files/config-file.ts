import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { parsePart } from '../http/schemas.ts'
import { errorCode } from '../lib/error-code.ts'
import { isObject } from '../lib/untrusted-json.ts'
import type { Path } from '../lib/value-at.ts'
import { agentItem } from './agent-item.ts'
import { ConfigFileError, type Item, pathOf, shown } from './item.ts'
import type { Section } from './section.ts'
import { type SectionName, sectionNames, sections } from './sections.ts'

/** The sources of the secrets that a configuration file names. */
interface SecretSources {
  /** Returns the variable that `$env` names. */
  variable(name: string): string | undefined
  /** The folder at which the paths of `$file` begin and below which they stay; by default that of the file. */
  folder?: string | undefined
  /** Files and folders of Parley itself, which no `$file` may name. */
  own: readonly string[]
}

/** A configuration file, read and with its references to secrets resolved. */
export interface ConfigFile {
  agent: Item | null
  /** The sections that it has. Those that it does not have are left alone. */
  sections: ReadonlyMap<SectionName, readonly Item[]>
  /** The places of secrets that are to stay as they are stored. */
  stored: readonly Path[]
  /** Returns the line of a place, or of what is around it. */
  lineOf(path: Path): number
}

/** The version of the form of these files. */
export const FORM = 1

const LARGEST = 10 * 1024 * 1024
/** The most times that aliases of YAML may be used: a short text could otherwise mean a very long one. */
const MOST_ALIASES = 100

const item = z.record(z.string(), z.unknown())
const form = z.strictObject({
  parley: z.literal(FORM),
  agent: item.optional(),
  ...Object.fromEntries(sectionNames.map((name) => [name, z.array(item).max(10_000).optional()])),
})

/**
 * Reads a configuration file, YAML or JSON, and the secrets that it names. They may be named only where an object has
 * a secret: anything else is printed.
 * @throws Error that names the file, with the line
 */
export function readConfigFile(file: string, from: SecretSources): ConfigFile {
  const text = readNamed(file)
  if (text.length > LARGEST) throw new Error(`${file} is too large`)
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter })
  const [wrong] = document.errors
  if (wrong) throw new Error(`${file}:${wrong.linePos?.[0].line ?? 1}: ${firstLine(wrong.message)}`)
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line
    }
    return 1
  }
  return withPlaces(file, lineOf, () => {
    const { parley: _, agent = null, ...rest } = readForm(document.toJS({ maxAliasCount: MOST_ALIASES }))
    const stored: Path[] = []
    const folder = from.folder ?? dirname(file)
    const resolved = (item: Item, path: Path, secrets: Section['secrets'] = () => []): Item => {
      const places = new Set(secrets(item).map((one) => shown([...path, ...one.path])))
      return resolveSecrets(item, path, { ...from, folder, places, stored }) as Item
    }
    const given = (Object.entries(rest) as [SectionName, Item[]][]).map(([name, items]) => {
      const { secrets }: Section = sections[name]
      return [name, items.map((one, at) => resolved(one, [name, at], secrets))] as const
    })
    return {
      agent: agent && resolved(agent, ['agent'], agentItem.secrets),
      sections: new Map(given),
      stored,
      lineOf,
    }
  })
}

/** Reads a file. @throws Error with its path, which Node leaves out where it is a folder */
function readNamed(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw Object.assign(error as Error, { path: file })
  }
}

/** Runs work whose errors about places of a file then name the file and the line. */
export function withPlaces<T>(file: string, lineOf: (path: Path) => number, work: () => T): T {
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(say) as T) : result
  } catch (error) {
    return say(error)
  }

  function say(error: unknown): never {
    if (!(error instanceof ConfigFileError)) throw error
    throw new Error(`${file}:${lineOf(error.path)}: ${error.message}`, { cause: error })
  }
}

/** Checks the form of a file. The objects in it are checked by their sections. */
function readForm(value: unknown): { parley: number; agent?: Item } & Partial<Record<SectionName, Item[]>> {
  try {
    return parsePart(form, value ?? {}) as ReturnType<typeof readForm>
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ConfigFileError(error.param === null ? [] : pathOf(error.param), error.message)
  }
}

interface Resolving extends SecretSources {
  folder: string
  /** The places of secrets in the object. */
  places: ReadonlySet<string>
  stored: Path[]
}

/** Puts secrets in the place of references to them, and notes which are to stay as they are stored. */
function resolveSecrets(value: unknown, path: Path, sources: Resolving): unknown {
  if (Array.isArray(value)) return value.map((one, at) => resolveSecrets(one, [...path, at], sources))
  if (!isObject(value)) return value
  const [[kind, name] = [], ...others] = Object.entries(value)
  if (kind !== '$env' && kind !== '$file' && kind !== '$stored') {
    const fields = Object.entries(value).map(([field, one]) => [
      field,
      resolveSecrets(one, [...path, field], sources),
    ])
    return Object.fromEntries(fields.filter(([, one]) => one !== undefined))
  }
  if (!sources.places.has(shown(path)))
    throw new ConfigFileError(path, `${shown(path)}: ${kind} may stand only in the place of a secret`)
  if (others.length > 0)
    throw new ConfigFileError(path, `${shown(path)}: ${kind} must be the only field of its object`)
  if (kind === '$stored') {
    if (name !== true) throw new ConfigFileError(path, `${shown(path)}: $stored must be true`)
    sources.stored.push(path)
    return undefined
  }
  if (typeof name !== 'string' || name === '')
    throw new ConfigFileError(path, `${shown(path)}: ${kind} must have a name`)
  return kind === '$env' ? fromVariable(name, path, sources) : fromFile(name, path, sources)
}

function fromVariable(name: string, path: Path, { variable }: Resolving): string {
  const refuse = (why: string) => new ConfigFileError(path, `${shown(path)}: the variable ${name} ${why}`)
  if (/^PARLEY_/i.test(name)) throw refuse('is a setting of Parley itself')
  const value = variable(name)
  if (value) return value
  throw refuse('is not set')
}

function fromFile(name: string, path: Path, { folder, own }: Resolving): string {
  const refuse = (why: string) => new ConfigFileError(path, `${shown(path)}: the file ${name} ${why}`)
  let secret: string
  try {
    const file = realpathSync(resolve(folder, name))
    if (!isBelow(file, folder)) throw refuse(`is not below ${folder}: --secrets-from allows another folder`)
    if (own.some((one) => isBelow(file, one))) throw refuse('is one of Parley itself')
    secret = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
  } catch (error) {
    if (error instanceof ConfigFileError) throw error
    throw refuse(`cannot be read (${errorCode(error)})`)
  }
  if (secret === '') throw refuse('is empty')
  return secret
}

/** True if a file, by its real path, is another one or lies in it. */
function isBelow(file: string, other: string): boolean {
  if (!existsSync(other)) return false
  const real = realpathSync(other)
  return file === real || file.startsWith(real.endsWith(sep) ? real : real + sep)
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** True if a place of the file is among those of secrets that stay. */
export function isStored({ stored }: ConfigFile, path: Path): boolean {
  return stored.some((one) => shown(one) === shown(path))
}
