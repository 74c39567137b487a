import { frame as ar } from '../texts/ar.json'
import { frame as de } from '../texts/de.json'
import { frame as en } from '../texts/en.json'
import { frame as es } from '../texts/es.json'
import { frame as fr } from '../texts/fr.json'
import { frame as it } from '../texts/it.json'
import { frame as nl } from '../texts/nl.json'
import { frame as pt } from '../texts/pt.json'

/** The few words that are shown before anything is loaded. */
type FrameTexts = typeof en

const texts: Record<string, FrameTexts> = { ar, de, en, es, fr, it, nl, pt }
const FROM_RIGHT = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/

export interface Language {
  /** The tag that the page or the browser gives: operators may have texts in languages that the chat itself lacks. */
  wanted: string
  /** The language of the chat's own words. */
  shown: string
  texts: FrameTexts
  dir: 'ltr' | 'rtl'
}

/** Returns the language of the nearest element that names one, or else the browser's. */
export function languageOf(element: HTMLElement): Language {
  const named = (element.closest<HTMLElement>('[lang]') ?? document.documentElement).lang
  // Pages say `en_US`, and browsers without a language `en-US@posix`.
  const wanted = (named || navigator.language).replace(/[_@].*/, '')
  const shown = [wanted, ...navigator.languages].map(baseOf).find((tag) => tag in texts) ?? 'en'
  // A page that reads from right to left does so in any language.
  const { direction } = getComputedStyle(element.parentElement ?? document.documentElement)
  const dir = FROM_RIGHT.test(shown) || direction === 'rtl' ? 'rtl' : 'ltr'
  return { wanted, shown, texts: texts[shown] ?? en, dir }
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
