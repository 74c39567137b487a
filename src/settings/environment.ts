import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the names of the given settings, and the `.env` file from which some of them may come. */
export function settingsGiven(): { names: string[]; file: string | null } {
  const env = withEnvFile()
  const names = Object.keys(env).filter((name) => name.startsWith('PARLEY_') && env[name]?.trim())
  const file = join(process.cwd(), '.env')
  return { names: names.sort(), file: existsSync(file) ? file : null }
}

/** Returns a variable that a file of the user's refers to, such as one with a secret; undefined when it is not set. */
export function variable(name: string): string | undefined {
  return process.env[name]
}

/** Returns the files and folders that hold secrets of Parley itself, whether they are there or not. */
export function filesWithOwnSecrets(dataDir: string): string[] {
  const named = Object.entries(withEnvFile()).filter(([name]) => /^PARLEY_\w+_FILE$/.test(name))
  return [dataDir, join(process.cwd(), '.env'), ...named.flatMap(([, file]) => file?.trim() || [])]
}

/** Returns the environment, completed with the names of an `.env` file that are not set. */
export function withEnvFile(): NodeJS.ProcessEnv {
  const file = join(process.cwd(), '.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return process.env
}

/** Returns the environment for a program that is started, with more in it, such as a password. */
export function environmentWith(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...more }
}
