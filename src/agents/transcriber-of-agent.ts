import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { openTranscriber, type Transcriber, type TranscriptionServer } from '../model/transcriber.ts'
import { type Agent, openKey, secretPlace } from './agent.ts'

interface TranscriberChoice {
  /** The server that the operator configured for the whole installation. */
  installation: { readonly url: string | null; readonly apiKey: string | null; readonly name: string | null }
  outbound: Outbound
  box: SecretBox
}

/** The name of the model in OpenAI's API; servers with a single model take any. */
const UNNAMED = 'whisper-1'

/**
 * Returns the server that writes down voice messages to an agent: its own, otherwise the installation's; null when there
 * is none. Only an address from the environment may be private, and only such an address gets the environment's key.
 */
export function transcriptionServerOf(
  { id, settings: { transcription } }: Agent,
  installation: TranscriberChoice['installation'],
  box: SecretBox,
): TranscriptionServer | null {
  const name = transcription.name ?? installation.name ?? UNNAMED
  if (transcription.url !== null) {
    const apiKey = openKey(transcription, secretPlace(id, 'transcription'), box)
    return { url: transcription.url, apiKey, name, trusted: false }
  }
  const { url, apiKey } = installation
  return url === null ? null : { url, apiKey, name, trusted: true }
}

/** Chooses what writes down voice messages to an agent; null when there is none. */
export function chooseTranscribers({
  installation,
  outbound,
  box,
}: TranscriberChoice): (agent: Agent) => Transcriber | null {
  return (agent) => {
    const server = transcriptionServerOf(agent, installation, box)
    return server && openTranscriber(server, outbound.of(agent.teamId))
  }
}
