import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { isObject, type JsonObject, toObjects } from '../lib/untrusted-json.ts'
import type { ToolCallDelta } from './model.ts'
import { textOf } from './parse-answer.ts'

/** A call as far as it has come. */
interface BegunCall {
  id: string | null
  name: string
  arguments: string
}

/** Puts the pieces of tool calls into one form, whatever a server makes of them. */
export interface ToolCallDeltas {
  /**
   * Reads the calls of a piece. They are numbered from 0 in the order in which they begin, because the numbers become
   * positions in a list; the first piece of each has an id and the name; arguments are text.
   */
  read(given: unknown): ToolCallDelta[]
  /** Returns the number of calls so far. */
  count(): number
}

/**
 * Creates the reader of a stream. Servers give calls no numbers, one number for all, or numbers far apart; they repeat
 * ids and names with each piece, give a new id each time, or none.
 */
export function toolCallDeltas(): ToolCallDeltas {
  const begun: BegunCall[] = []
  /** Our numbers by the server's. */
  const numbers = new Map<unknown, number>()
  let last: number | undefined

  /** Tells whether the piece begins another call than the one that has its number. */
  function isNext(call: BegunCall | undefined, piece: BegunCall, hasNumber: boolean, isInThisPiece: boolean) {
    if (!call) return true
    const hasOtherId = piece.id !== null && call.id !== null && piece.id !== call.id
    const beginsAnew = piece.arguments.trimStart().startsWith('{') && isWhole(call.arguments)
    return piece.name === '' ? hasOtherId && !hasNumber : hasOtherId || isInThisPiece || beginsAnew
  }

  function readOne(
    { function: named, id, index, ...others }: JsonObject,
    inThisPiece: Set<number>,
  ): ToolCallDelta {
    const called = isObject(named) ? named : {}
    const piece: BegunCall = {
      id: textOf(id) || null,
      name: textOf(called.name) ?? '',
      arguments: isObject(called.arguments)
        ? JSON.stringify(called.arguments)
        : (textOf(called.arguments) ?? ''),
    }
    const hasNumber = Number.isInteger(index)
    let number = (hasNumber ? numbers.get(index) : last) ?? begun.length
    const isNew = isNext(begun[number], piece, hasNumber, inThisPiece.has(number))
    if (isNew) number = begun.push({ id: piece.id, name: '', arguments: '' }) - 1
    if (hasNumber) numbers.set(index, number)
    last = number
    inThisPiece.add(number)
    const call = begun[number] as BegunCall
    const name = piece.name === call.name ? '' : piece.name
    call.name += name
    call.arguments += piece.arguments
    return {
      ...others,
      ...(isNew ? { id: piece.id ?? `call_${number}` } : {}),
      index: number,
      ...(isObject(named) && { function: { ...(name && { name }), arguments: piece.arguments } }),
    }
  }

  return {
    read(given) {
      const inThisPiece = new Set<number>()
      return toObjects(given).map((call) => readOne(call, inThisPiece))
    },
    count: () => begun.length,
  }
}

function isWhole(json: string): boolean {
  return json !== '' && readPeerJsonOrNull(json) !== null
}
