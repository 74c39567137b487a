import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { CredentialFiles } from '../config.ts'
import { errorCode } from '../lib/error-code.ts'
import { ConfigError } from '../settings/setting.ts'
import { type CredentialKind, isGuessable, readCredentialId } from './credential-text.ts'

/** The texts of credentials that stood in files; null where there was no file. */
export type GivenCredentials = { readonly [F in keyof CredentialFiles]: string | null }

const SETTINGS = {
  apiKey: { name: 'PARLEY_INIT_API_KEY_FILE', kind: 'key', title: 'an API key' },
  bearerToken: { name: 'PARLEY_INIT_BEARER_TOKEN_FILE', kind: 'token', title: 'a bearer token' },
} as const satisfies Record<keyof CredentialFiles, { name: string; kind: CredentialKind; title: string }>

const FILES = ['apiKey', 'bearerToken'] as const

/**
 * Reads the credentials that the files hold. Their mode does not matter: Docker and Kubernetes mount secrets so that
 * every user of the container may read them.
 * @throws ConfigError for a file that cannot be read or holds something else
 */
export function readCredentialFiles(files: CredentialFiles): GivenCredentials {
  return { apiKey: readGiven('apiKey', files), bearerToken: readGiven('bearerToken', files) }
}

function readGiven(which: keyof CredentialFiles, files: CredentialFiles): string | null {
  const { name, kind, title } = SETTINGS[which]
  let text: string
  try {
    text = readFileSync(files[which], 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new ConfigError(`${name} ${files[which]} cannot be read (${errorCode(error)})`)
  }
  if (readCredentialId(kind, text) === null || isGuessable(text))
    throw new ConfigError(
      `${name} ${files[which]} holds something else than ${title}: "parley keys generate" makes one`,
    )
  return text
}

/**
 * Writes those credentials that were not given into their files, which only their owner may read. All are written, or
 * none.
 * @throws ConfigError
 */
export function writeCredentialFiles(
  files: CredentialFiles,
  given: GivenCredentials,
  issued: Readonly<Record<keyof CredentialFiles, string>>,
): void {
  const written: string[] = []
  for (const which of FILES)
    if (given[which] === null)
      try {
        // No reader finds a file that holds only a part.
        const whole = `${files[which]}.tmp`
        writeFileSync(whole, issued[which], { mode: 0o600, flush: true })
        renameSync(whole, files[which])
        written.push(files[which])
      } catch (error) {
        for (const file of written) rmSync(file, { force: true })
        const { name } = SETTINGS[which]
        throw new ConfigError(`${name} ${files[which]} cannot be written (${errorCode(error)})`)
      }
}
