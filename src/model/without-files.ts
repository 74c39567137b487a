import { doingWithout } from './doing-without.ts'
import { hasFiles, inWords } from './file-parts.ts'
import { type Model, ModelError, type ModelRequest } from './model.ts'

/** A model whose server may take only texts. */
interface FileTaker {
  model: Model
  /** Tells whether the server takes pictures, as far as it is known. */
  takesFiles(): boolean
}

/** The statuses with which servers refuse a part of a message. Other failures have to name it. */
const OF_FIELDS = new Set([400, 413, 415, 422, 501])
const NAMES_FILES = /\b(?:image|audio|vision|multi-?modal|mmproj)/i
/** The words with which servers refuse one picture, though they take others. */
const OF_ONE =
  /\b(?:decod|corrupt|truncat|format|mime|media type|base64|exceed|maximum|dimension|pixel|resolution|size|safety|policy|moderat)|too (?:large|big|many|long)|(?:could not|failed to|unable to|cannot) (?:load|process|read|open|identify|parse)|broken|damaged|malformed|unidentified|\b(?:in)?valid (?:image|audio|picture)\b|image (?:data |file )?is (?:not |in)valid/i

/**
 * A model that is asked with words such as `[image]` in place of pictures, sounds and files when its server refuses them,
 * and for an hour from the beginning if it takes none.
 * @param now returns milliseconds from any fixed moment
 */
export function withoutFiles(model: Model, now: () => number = () => performance.now()): FileTaker {
  const files = { isIn, leaveOut, mayRefuse, differs: true }
  const { model: asked, takes } = doingWithout(model, files, now)
  return { model: asked, takesFiles: takes }
}

function isIn({ messages }: ModelRequest): boolean {
  return messages.some(({ content }) => hasFiles(content))
}

function leaveOut({ messages, ...request }: ModelRequest): ModelRequest {
  const inText = messages.map((message) =>
    hasFiles(message.content) ? { ...message, content: inWords(message.content) } : message,
  )
  return { ...request, messages: inText }
}

function mayRefuse(error: unknown): 'all' | 'this' | false {
  if (!(error instanceof ModelError) || error.isContextExceeded) return false
  const { status, said } = error
  const words = said?.message ?? ''
  if (!OF_FIELDS.has(status ?? 0) && !(status !== null && NAMES_FILES.test(words))) return false
  return status === 413 || OF_ONE.test(words) ? 'this' : 'all'
}
