import type { AgentVersion } from '../../../api/types.ts'

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
    const isServer = ['model', 'embedding', 'transcription', 'redaction'].includes(name)
    const fields = { ...(one[name] as object | undefined), ...(other[name] as object | undefined) }
    return isServer ? Object.keys(fields).map((field) => `${name}.${field}`) : [name]
  })
  return names.filter((name) => !isSame(settingOf(one, name), settingOf(other, name)))
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
