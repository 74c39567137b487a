import type { Kysely } from 'kysely'
import { invalidField } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { findCompletionOrNull } from '../../transcripts/completions/find-completion.ts'
import { completionOfItem } from '../../transcripts/completions/response-id.ts'
import type { Owner } from '../../transcripts/conversations/find-conversation.ts'
import { readResponse } from './read-response.ts'
import type { ResponsesRequest } from './request.ts'
import type { OutputItem } from './schemas.ts'

/** The most responses whose items a request may name, and the most characters that the items may have together. */
const MOST_RESPONSES = 100
const MOST_CHARACTERS = 1_000_000

/**
 * Puts items of earlier responses in the place of the references to them.
 * @throws ApiError invalid_request when there is no such item, or the items are of too many responses or too long
 */
export async function withItems(
  db: Kysely<Tables>,
  owner: Owner,
  request: ResponsesRequest,
): Promise<ResponsesRequest> {
  if (typeof request.input === 'string') return request
  const outputs = new Map<string, OutputItem[]>()
  const input: Exclude<ResponsesRequest['input'], string> = []
  let characters = 0
  for (const [at, item] of request.input.entries()) {
    if (item.type !== 'item_reference') {
      input.push(item)
      continue
    }
    const output = await outputWith(item.id)
    const found = output?.find(({ id }) => id === item.id)
    if (!found) throw invalidField(`input.${at}.id`, 'names no item of a response of this agent')
    characters += JSON.stringify(found).length
    if (characters > MOST_CHARACTERS)
      throw invalidField('input', `names items of more than ${MOST_CHARACTERS} characters together`)
    input.push(found)
  }
  return { ...request, input }

  /** Reads the output to which an item belongs. */
  async function outputWith(itemId: string): Promise<OutputItem[] | undefined> {
    const completionId = completionOfItem(itemId)
    if (completionId === null) return undefined
    const read = outputs.get(completionId)
    if (read) return read
    if (outputs.size === MOST_RESPONSES)
      throw invalidField('input', `names items of more than ${MOST_RESPONSES} responses`)
    const output = await readOutput(db, owner, completionId)
    outputs.set(completionId, output)
    return output
  }
}

async function readOutput(db: Kysely<Tables>, owner: Owner, completionId: string): Promise<OutputItem[]> {
  const completion = await findCompletionOrNull(db, owner, completionId)
  return completion ? (await readResponse(db, completion)).output : []
}
