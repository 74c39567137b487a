import type { Path } from '../lib/value-at.ts'

/** An object of a configuration file, such as a tool: what a request for a new one would hold. */
export type Item = Record<string, unknown>

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

/** Returns a copy in which absent fields are absent, so that two can be compared. */
export function plain(value: unknown): Item {
  return JSON.parse(JSON.stringify(value))
}
