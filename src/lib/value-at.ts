import { isObject } from './untrusted-json.ts'

/** The way from an object to a value in it. */
export type Path = readonly (string | number)[]

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, name) => (isContainer(at) ? Reflect.get(at, name) : undefined), value)
}

/** Returns a copy with another value at a place, or without one there. */
export function withValue<T>(value: T, [name, ...rest]: Path, given: unknown): T {
  if (name === undefined) return given as T
  if (Array.isArray(value)) return value.with(Number(name), withValue(value[Number(name)], rest, given)) as T
  const { [name]: present, ...others } = (isObject(value) ? value : {}) as Record<string, unknown>
  const inside = withValue(present, rest, given)
  return (inside === undefined ? others : { ...(value as Record<string, unknown>), [name]: inside }) as T
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
