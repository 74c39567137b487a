import { isObject } from '../lib/untrusted-json.ts'

/** An object of a configuration file, such as a tool: what a request for a new one would hold. */
export type Item = Record<string, unknown>

/** The way from an object to a value in it. */
export type Path = readonly (string | number)[]

/** An error about a place of a configuration file. */
export class ConfigFileError extends Error {
  readonly path: Path

  constructor(path: Path, message: string) {
    super(message)
    this.path = path
  }
}

/** Returns a place as people read it. */
export function shown(path: Path): string {
  return path.join('.')
}

/** Reads a place as errors of the API name it. */
export function pathOf(param: string): Path {
  return param.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, name) => (isContainer(at) ? Reflect.get(at, name) : undefined), value)
}

/** Returns a copy with another value at a place, or without one there. */
export function withValue<T>(value: T, [name, ...rest]: Path, given: unknown): T {
  if (name === undefined) return given as T
  if (Array.isArray(value)) return value.with(Number(name), withValue(value[Number(name)], rest, given)) as T
  const { [name]: present, ...others } = (isObject(value) ? value : {}) as Item
  const inside = withValue(present, rest, given)
  return (inside === undefined ? others : { ...(value as Item), [name]: inside }) as T
}

/** Returns a copy in which absent fields are absent, so that two can be compared. */
export function plain(value: unknown): Item {
  return JSON.parse(JSON.stringify(value))
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
