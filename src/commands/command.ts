import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config.ts'

/** What a command gets: its parsed words, the settings, and where its answer goes. */
export interface CommandInput {
  config: Config
  positionals: string[]
  options: Record<string, string | boolean | undefined>
  /** Prints an answer: the object with --json, the lines without. What a terminal would obey is escaped. */
  print(answer: unknown, lines: string | Line[]): void
}

/** A line, or its columns. */
export type Line = string | string[]

/** One command of the command line. */
export interface Command {
  /** As typed, such as `keys create`. */
  name: string
  /** What follows the name in the help, such as `--agent ID [--name N]`. */
  usage: string
  summary: string
  options?: ParseArgsOptionsConfig
  /** How many words it takes beside its name; `some`: one or more. */
  positionals?: number | 'some'
  run(input: CommandInput): Promise<number | undefined>
}

/** A mistake in what was typed: printed as one line, exit code 2. */
export class UsageError extends Error {}

/** A whole number from 1 that an option or a word must be. */
export function requiredId(value: string | boolean | undefined, name: string): number {
  if (typeof value !== 'string' || !/^[1-9]\d{0,14}$/.test(value)) {
    throw new UsageError(`${name} must be given as a whole number`)
  }
  return Number(value)
}

/** A text option within bounds, or its fallback. */
export function textOption(value: string | boolean | undefined, name: string, fallback: string): string {
  if (value === undefined) return fallback
  if (typeof value !== 'string' || value.trim() === '' || value.length > 200) {
    throw new UsageError(`${name} must be a text of 1 to 200 characters`)
  }
  return value
}
