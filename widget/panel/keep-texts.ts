import type { Language } from '../launcher/language.ts'
import { pauses } from './pauses.ts'
import { loadTexts, type Texts } from './texts.ts'

/** Keeps the panel's texts in the chat's language. @param loaded called when they have come */
export function keepTexts(first: Language, loaded: () => void, life: AbortSignal) {
  const { backOff } = pauses(life)
  let language = first
  let shown: Texts | null = null
  void load()
  return {
    get language(): Language {
      return language
    },
    /** The texts; null until the first have come. */
    get shown(): Texts | null {
      return shown
    },
    /** Changes the language. @returns false if it is the same */
    change(next: Language): boolean {
      if (next.shown === language.shown && next.wanted === language.wanted) return false
      language = next
      void load()
      return true
    },
  }

  /** Tries until the texts are there, or others are wanted. */
  async function load(): Promise<void> {
    const wanted = language.shown
    for (let tries = 0; !life.aborted && wanted === language.shown; tries++) {
      const read = await loadTexts(wanted, tries).catch(() => backOff(tries))
      if (!read || life.aborted || wanted !== language.shown) continue
      shown = read
      return loaded()
    }
  }
}
