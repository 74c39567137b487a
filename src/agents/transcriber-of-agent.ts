import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { openTranscriber, type Transcriber, type TranscriptionServer } from '../model/transcriber.ts'
import type { Agent } from './agent.ts'
import { type InstallationServer, serverOf } from './server-of-agent.ts'

interface TranscriberChoice {
  installation: InstallationServer
  outbound: Outbound
  box: SecretBox
}

/** The name of the model in OpenAI's API; servers with a single model take any. */
const UNNAMED = 'whisper-1'

/** Returns the server that writes down voice messages to an agent; null when there is none. */
export function transcriptionServerOf(
  agent: Agent,
  installation: InstallationServer,
  box: SecretBox,
): TranscriptionServer | null {
  return serverOf(agent, 'transcription', installation, UNNAMED, box)
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
