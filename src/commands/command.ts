import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config.ts'

/** The input of a command: the settings, its parsed arguments, and a function that prints its answer. */
export interface CommandInput {
  config: Config
  positionals: string[]
  options: Record<string, string | boolean | undefined>
  /** Prints the object with --json, the lines without. Control characters are escaped. */
  print(answer: unknown, lines: string | Line[]): void
}

/** A line of output, or its columns. */
export type Line = string | string[]

/** One command of the command line. */
export interface Command {
  /** The name as users type it, such as `keys create`. */
  name: string
  /** The words that follow the name in the help, such as `--agent ID [--name N]`. */
  usage: string
  summary: string
  options?: ParseArgsOptionsConfig
  /** The number of arguments after its name; `some` for one or more. */
  positionals?: number | 'some'
  /** True if it works for long beside a service, which then has the processor first. */
  yields?: true
  run(input: CommandInput): Promise<number | undefined>
}

/** A mistake in the user's input: printed as one line, exit code 2. */
export class UsageError extends Error {}

/**
 * Returns the value of an option or argument that must be a whole number from 1.
 * @throws UsageError
 */
export function requiredId(value: string | boolean | undefined, name: string): number {
  if (typeof value !== 'string' || !/^[1-9]\d{0,14}$/.test(value)) {
    throw new UsageError(`${name} must be given as a whole number`)
  }
  return Number(value)
}

/**
 * Returns the value of an option that must be a text of 1 to 200 characters, or the fallback when it is not given.
 * @throws UsageError
 */
export function textOption(value: string | boolean | undefined, name: string, fallback: string): string {
  if (value === undefined) return fallback
  if (typeof value !== 'string' || value.trim() === '' || value.length > 200) {
    throw new UsageError(`${name} must be a text of 1 to 200 characters`)
  }
  return value
}
