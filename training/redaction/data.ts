import { readFileSync } from 'node:fs'
import { isHeldBack } from '../../bench/redaction/held-back.ts'

/** Reads a file of this folder: lines below `## heading`s, without comments. */
export function readSections(file: string): { heading: string; lines: string[] }[] {
  const sections: { heading: string; lines: string[] }[] = []
  for (const line of readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('## ')) sections.push({ heading: line.slice(3), lines: [] })
    else if (line && !line.startsWith('# ')) sections.at(-1)?.lines.push(line)
  }
  return sections
}

/** Returns the names of which the bench holds back neither the whole nor a word. */
export function usableNames(names: readonly string[]): string[] {
  return names.filter((name) => ![name, ...name.split(/[\s,.'’()-]+/)].some(isHeldBack))
}

/** Returns the streets or towns that the bench does not hold back. */
export function usablePlaces(places: readonly string[]): string[] {
  return places.filter((place) => ![place, place.split(',')[0] as string].some(isHeldBack))
}
