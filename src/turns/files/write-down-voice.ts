import { type MessageContent, ModelError } from '../../model/model.ts'
import type { Transcriber } from '../../model/transcriber.ts'
import { keepTrying } from '../../storage/keep-trying.ts'
import type { Attachment } from '../../transcripts/attachments.ts'
import { type Transcription, withTranscript } from '../../transcripts/messages/write-transcript.ts'
import type { StartedTurn } from '../turn.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'

type Dependencies = Pick<
  TurnDependencies,
  'engine' | 'files' | 'transcriberFor' | 'transcriptions' | 'keepTranscript' | 'modelFor' | 'isSpent'
>

/** The time after which no further sound of a prompt is begun. */
const LIMIT_MS = 60_000

/**
 * Has the sounds of a prompt written down before it is answered, so that the transcript is the prompt. A message whose
 * sound could not be written down says so. Sounds in parts of prompts stay as they are, because models are sent these,
 * and so do all sounds to an agent that does not answer because it has used up its budget.
 * @returns the turn with what was said
 */
export async function writeDownVoice(
  dependencies: Dependencies,
  turn: StartedTurn,
  signal: AbortSignal,
): Promise<StartedTurn> {
  const { agent, messages, messageIds, attachments = [] } = turn
  const unwritten = attachments.map((files, at) => {
    const parts = new Set(idsIn(messages[at]?.content ?? null))
    return (files ?? []).filter((file) => isUnwritten(file) && !parts.has(file.id))
  })
  const { files, transcriptions } = dependencies
  const transcriber = unwritten.some(({ length }) => length > 0) ? transcriberOf() : null
  if (!transcriber || (await isBudgetSpent())) return turn
  const began = performance.now()
  const written = [...messages]
  for (const [at, ofMessage] of unwritten.entries())
    for (const file of ofMessage) {
      const done = await transcription(transcriber, file)
      if (signal.aborted) return turn
      const isKept = await keep(messageIds[at] ?? 0, file, done)
      const message = written[at]
      if (isKept && message && 'transcript' in done)
        written[at] = { ...message, content: withTranscript(message.content, file.kind, done.transcript) }
    }
  return { ...turn, messages: written }

  // Whatever fails, the prompt is answered.
  function transcriberOf(): Transcriber | null {
    try {
      return dependencies.transcriberFor(agent)
    } catch {
      return null
    }
  }

  async function isBudgetSpent(): Promise<boolean> {
    const { modelFor, isSpent } = dependencies
    const { conversationId, completionId } = turn
    if (modelFor(agent).isBuiltIn) return false
    return isSpent({ agent, conversationId, completionId }).catch(() => false)
  }

  async function keep(messageId: number, { id }: Attachment, done: Transcription): Promise<boolean> {
    const { engine, keepTranscript } = dependencies
    return keepTrying(engine, () => keepTranscript(agent.id, messageId, id, done)).catch(() => false)
  }

  async function transcription(transcriber: Transcriber, file: Attachment): Promise<Transcription> {
    try {
      // Sounds that wait take no memory.
      using _place = await transcriptions.take(agent.teamId)
      if (performance.now() - began > LIMIT_MS) return { reason: TOO_LATE }
      const bytes = await files.readSound(agent, file)
      if (!bytes) return { reason: 'The file is gone' }
      return { transcript: await transcriber.transcribe({ bytes, type: file.type }, signal) }
    } catch (error) {
      return { reason: error instanceof ModelError ? error.message : 'The file could not be read' }
    }
  }
}

const TOO_LATE = 'The sounds before it took too long'

/** Tells whether a file of a message is a sound that nobody has written down yet. */
function isUnwritten({ kind, type, state, transcript }: Attachment): boolean {
  return (kind === 'voice' || type.startsWith('audio/')) && state === 'stored' && transcript === null
}

/** Returns the ids of the attachments that parts of a content name. */
function idsIn(content: MessageContent): string[] {
  return Array.isArray(content) ? content.map(({ attachment_id }) => String(attachment_id)) : []
}
