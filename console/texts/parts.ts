import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Texts that the inbox does not show, by the first part of their name. They come with the first page that shows them. */
export const laterTexts: readonly string[] = [
  'start',
  'talk',
  'playground',
  'knowledge',
  'rules',
  'conditions',
  'tools',
  'tests',
  'webhooks',
  'widgets',
  'analytics',
  'settings',
  'people',
  'credentials',
  'audit',
  'account',
  'twoFactor',
  'rightsAre',
  'search',
  'users',
]

/** Cuts the file of each language in two when pages are built: `en.json?first` and `en.json?later`. */
export function textParts(): Plugin {
  return {
    name: 'parley-text-parts',
    enforce: 'pre',
    load(id) {
      const [, file, part] = /^(.+\.json)\?(first|later)$/.exec(id) ?? []
      if (!file) return null
      this.addWatchFile(file)
      const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
      const isOfPart = ([name]: [string, unknown]) => laterTexts.includes(name) === (part === 'later')
      const module = `export default ${JSON.stringify(Object.fromEntries(texts.filter(isOfPart)))}`
      return { code: module, moduleType: 'js' }
    },
  }
}
