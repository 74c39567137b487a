import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** The first parts of the names of texts that the inbox does not show. They load with the first page that does. */
export const laterTexts: readonly string[] = [
  'start',
  'talk',
  'playground',
  'bulk',
  'snooze',
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
  'writeFirst',
  'channels',
  'viewer',
]

/** Splits the file of each language in two during the build: `en.json?first` and `en.json?later`. */
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
