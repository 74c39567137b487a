import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Top-level keys of texts that the inbox does not show. They load with the first page that shows any of them. */
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
  'support',
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
  'macros',
  'signIn',
  'join',
  'noAgent',
  'team',
]

/** Top-level keys of texts for those parts of the inbox that load on demand. */
const deskTexts: readonly string[] = [
  'copilot',
  'savedViews',
  'answerDetails',
  'mailed',
  'details',
  'notices',
]

/** Splits the file of each language during the build: `en.json?first`, `en.json?later` and `en.json?desk`. */
export function textParts(): Plugin {
  return {
    name: 'parley-text-parts',
    enforce: 'pre',
    load(id) {
      const [, file, part] = /^(.+\.json)\?(first|later|desk)$/.exec(id) ?? []
      if (!file) return null
      this.addWatchFile(file)
      const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
      const isOfPart = ([name]: [string, unknown]) => partOf(name) === part
      const module = `export default ${JSON.stringify(Object.fromEntries(texts.filter(isOfPart)))}`
      return { code: module, moduleType: 'js' }
    },
  }
}

function partOf(name: string): string {
  if (deskTexts.includes(name)) return 'desk'
  return laterTexts.includes(name) ? 'later' : 'first'
}
