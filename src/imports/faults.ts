import { codedSentences } from '../lib/coded-sentences.ts'

/** The faults for which a row of an import is refused. */
const faults = codedSentences({
  missing: 'is missing',
  id_form: 'must have 1 to 255 characters, and not be "." or ".."',
  id_unknown: 'nobody has this id: an import adds ids of the sources api and widget only',
  id_ambiguous: 'several sources have this id: name one as {ids}',
  repeated: 'is the person of line {line} again',
  too_long: 'must have at most {most} characters',
  too_much: 'the attributes would be more than 64, or larger than 16 KiB',
  too_many_values: 'the row has more values than there are columns',
})

export const { codes: faultCodes } = faults

type FaultCode = (typeof faultCodes)[number]

/** A fault of a row. */
export interface Fault {
  /** The name of the column; null: the row as a whole. */
  column: string | null
  code: FaultCode
  values: Record<string, string>
  message: string
}

/** Returns a fault of a row. @param column the name of the column; null: the row as a whole */
export function faultIn(column: string | null, code: FaultCode, values: Record<string, string> = {}): Fault {
  return { column, code, values, message: faults.say(code, values) }
}
