import { ApiError } from '../../errors.ts'
import { ModelError } from '../../model/model.ts'
import { PLACEHOLDER } from '../../redaction/mask/restore.ts'
import { type Mask, maskedRequest } from './masking.ts'

interface TriedMask {
  /** The text as a model server would be sent it. */
  sent: string
  /** The placeholders in it, each once, in their order. */
  placeholders: string[]
}

/** Masks a text as the message of a user, and stores nothing. @param mask null: the agent masks nothing */
export async function tryMask(mask: Mask | null, text: string): Promise<TriedMask> {
  if (!mask) return { sent: text, placeholders: [] }
  try {
    const { request } = await maskedRequest(mask, {
      messages: [{ role: 'user', content: text }],
      parameters: {},
    })
    const sent = String(request.messages[0]?.content)
    return { sent, placeholders: [...new Set(sent.match(PLACEHOLDER))] }
  } catch (error) {
    if (error instanceof ModelError) throw new ApiError('masking_failed', { cause: error })
    throw error
  }
}
