import { readFileSync } from 'node:fs'
import { errorCode } from '../lib/error-code.ts'
import type { Parser } from './kinds.ts'

/** An error in a setting that stops the start; its message is one clear line without the value of a secret. */
export class ConfigError extends Error {}

/** A setting: how it is read, and what is said of it in `.env.example` and docs/configuration.md. */
export interface Setting<T> {
  readonly parse: Parser<unknown>
  /** The value when none is given. */
  readonly fallback: T
  /** One line in Markdown. */
  readonly meaning: string
  /** The fallback in words, where its value does not say it. */
  readonly byDefault?: string
  /** True if it holds credentials: it is never printed, and can be read from the file that `…_FILE` names. */
  readonly isSecret?: boolean
}

/** @param more the default in words, where its value does not say it, and whether it is a secret */
export function setting<T, D extends T | null>(
  parse: Parser<T>,
  fallback: D,
  meaning: string,
  more: Pick<Setting<T>, 'byDefault' | 'isSecret'> = {},
): Setting<T | D> {
  return { parse, fallback, meaning, ...more }
}

/** Returns the value of a setting. @throws ConfigError */
export function readSetting(
  env: NodeJS.ProcessEnv,
  name: string,
  { parse, fallback, isSecret }: Setting<unknown>,
): unknown {
  const given = env[name]?.trim()
  const fileName = `${name}_FILE`
  const file = isSecret && env[fileName]?.trim()
  if (given && file) throw new ConfigError(`${name} and ${fileName} are both set: set only one of them`)
  const value = file ? secretIn(file, fileName) : given
  if (!value) return fallback
  try {
    return parse(value)
  } catch (error) {
    throw new ConfigError(`${name} ${(error as Error).message}${file ? `: read from ${fileName}` : ''}`)
  }
}

/** The most bytes of a file with a secret. */
const LARGEST_SECRET = 64 * 1024

/** Reads a secret from a file, without the line break at its end. The errors repeat neither it nor the file's name. */
function secretIn(file: string, setting: string): string {
  let secret: string
  try {
    secret = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
  } catch (error) {
    throw new ConfigError(`${setting} names a file that cannot be read (${errorCode(error)})`)
  }
  if (secret.trim() === '') throw new ConfigError(`${setting} names an empty file`)
  if (secret.length > LARGEST_SECRET) throw new ConfigError(`${setting} names a file that is too large`)
  return secret
}

/** Returns the names of the environment variables of a setting. */
export function namesOf(name: string, { isSecret }: Setting<unknown>): string[] {
  return isSecret ? [name, `${name}_FILE`] : [name]
}
