import type { KnownValue } from './replace-known.ts'

/** Puts values back in the place of their placeholders. */
export interface Restore {
  text(text: string): string
  /** Restores within JSON text, whose strings escape some characters. */
  json(text: string): string
  /** Restores a text that comes in pieces. */
  inPieces(isJson: boolean): RestoredPieces
}

/** A text in pieces. The beginning of a placeholder is held back until it is whole. */
export interface RestoredPieces {
  feed(piece: string): string
  /** Returns what is held back, at the end of the text. */
  end(): string
}

/** Matches each placeholder with a number. */
export const PLACEHOLDER = /\[[A-Z][A-Z0-9_]*_\d+\]/g
/** Matches what may be the beginning of a placeholder at the end of a text. */
const BEGUN = /\[[A-Z0-9_]*$/

export function restoring(known: readonly KnownValue[]): Restore {
  const values = new Map(known)
  const placeholders = [...values.keys()]
  const longest = Math.max(0, ...placeholders.map(({ length }) => length))
  const text = (text: string) => text.replace(PLACEHOLDER, (found) => values.get(found) ?? found)
  const json = (text: string) =>
    text.replace(PLACEHOLDER, (found) => JSON.stringify(values.get(found) ?? found).slice(1, -1))

  return {
    text,
    json,
    inPieces(isJson) {
      const restore = isJson ? json : text
      let held = ''
      return {
        feed(piece) {
          const whole = held + piece
          const begun = BEGUN.exec(whole.slice(-longest))?.[0] ?? ''
          held = placeholders.some((one) => one.startsWith(begun)) ? begun : ''
          return restore(whole.slice(0, whole.length - held.length))
        },
        end() {
          const rest = held
          held = ''
          return rest
        },
      }
    },
  }
}
