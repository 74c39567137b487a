import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { type Agent, openKey, secretPlace } from './agent.ts'

/** A server that the operator configured for the whole installation. */
export interface InstallationServer {
  readonly url: string | null
  readonly apiKey: string | null
  readonly name: string | null
}

/** A server with a model, as an agent asks it. */
interface ServerOfAgent {
  url: string
  apiKey: string | null
  /** The model's name. */
  name: string
  /** True if the address may be private. */
  trusted: boolean
}

/**
 * Returns the server of a kind that an agent asks: its own, otherwise the installation's; null when there is none. Only an
 * address from the environment may be private, and only such an address gets the environment's key.
 * @param unnamed the name for a model that nobody has named
 */
export function serverOf(
  { id, settings }: Agent,
  kind: 'model' | 'embedding' | 'transcription',
  installation: InstallationServer,
  unnamed: string,
  box: SecretBox,
): ServerOfAgent | null {
  const own = settings[kind]
  const name = own.name ?? installation.name ?? unnamed
  if (own.url !== null)
    return { url: own.url, apiKey: openKey(own, secretPlace(id, kind), box), name, trusted: false }
  const { url, apiKey } = installation
  return url === null ? null : { url, apiKey, name, trusted: true }
}
