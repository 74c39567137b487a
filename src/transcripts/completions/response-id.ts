const HEX = '([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})'
const RESPONSE = new RegExp(`^resp_${HEX}$`)
const ITEM = new RegExp(`^(?:msg|fc)_${HEX}(?:_\\d+)?$`)

/** Returns the id that a completion has as a response of OpenAI's Responses API. */
export function responseId(completionId: string): string {
  return `resp_${hexOf(completionId)}`
}

/** Returns the id of the message in a response. */
export function messageItemId(completionId: string): string {
  return `msg_${hexOf(completionId)}`
}

/** Returns the id of a call in a response. @param index its position among the calls */
export function callItemId(completionId: string, index: number): string {
  return `fc_${hexOf(completionId)}_${index}`
}

/** Returns the UUID of the completion that the id of a response stands for; null: it is no such id. */
export function completionOfResponse(id: string): string | null {
  return uuidIn(RESPONSE.exec(id))
}

/** Returns the UUID of the completion to which an item with this id belongs; null: it is no such id. */
export function completionOfItem(id: string): string | null {
  return uuidIn(ITEM.exec(id))
}

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '')
}

function uuidIn(match: RegExpExecArray | null): string | null {
  return match?.slice(1).join('-') ?? null
}
