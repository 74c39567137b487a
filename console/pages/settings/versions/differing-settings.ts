import type { AgentVersion } from '../../../api/types.ts'
import { servers } from './setting-names.ts'

type Settings = AgentVersion['settings']

/** Returns the value of a setting in a version, by a name such as `greeting` or `model.url`. */
export function settingOf(settings: Settings, name: string): unknown {
  const [first = '', second] = name.split('.')
  const value = settings[first]
  return second === undefined ? value : (value as Record<string, unknown> | undefined)?.[second]
}

/** Returns the names of the settings in which two versions differ. */
export function differingSettings(one: Settings, other: Settings): string[] {
  const names = Object.keys({ ...one, ...other }).flatMap((name) => {
    const fields = { ...(one[name] as object | undefined), ...(other[name] as object | undefined) }
    return Object.hasOwn(servers, name) ? Object.keys(fields).map((field) => `${name}.${field}`) : [name]
  })
  return names.filter((name) => !isSame(settingOf(one, name), settingOf(other, name)))
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
