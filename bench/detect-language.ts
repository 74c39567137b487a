// Compares language detection with eld's sizes by themselves, tinyld and franc-min, on support messages in languages
// known and not known: how many get the right language, how many another one? How often do the detectors guess where
// there is no language?
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { eld } from 'eld'
import { detectLanguage } from '../src/language/detect-language.ts'
import { quantile } from '../test/support/quantile.ts'
import { messages, withoutLanguage } from '../test/unit/language/language-messages.ts'
import { installPeers } from './support/install-peers.ts'
import { printTable } from './support/load.ts'

const PEERS = fileURLToPath(new URL('.peers/language/', import.meta.url))
const ROUNDS = 10

type Detector = (text: string) => string | null

installPeers(PEERS, { tinyld: '1.3.4', 'franc-min': '6.2.0' })
const peer = createRequire(PEERS)
const { detect } = peer('tinyld') as { detect: (text: string) => string }
const { franc } = (await import(pathToFileURL(peer.resolve('franc-min')).href)) as {
  franc: (text: string) => string
}
/** Codes of franc for what others call by the name of the whole language. */
const FRANC: Record<string, string> = { nob: 'no', pes: 'fa', arb: 'ar', cmn: 'zh', zlm: 'ms', npi: 'ne' }

const detectors: Record<string, Detector> = {
  Parley: detectLanguage,
  tinyld: (text) => detect(text) || null,
  'franc-min': (text) => {
    const code = franc(text)
    return code === 'und' ? null : (FRANC[code] ?? Intl.getCanonicalLocales(code)[0] ?? null)
  },
}
for (const size of ['extrasmall', 'small', 'medium', 'large']) {
  const sized = eld.newInstance()
  if ('load' in sized && typeof sized.load === 'function') await sized.load(size)
  detectors[`eld ${size}`] = (text) => sized.detect(text).language || null
}

const all = Object.entries(messages).flatMap(([language, texts]) => texts.map((text) => ({ language, text })))
const lengths = [
  ['to 20 characters', 0, 20],
  ['to 60', 21, 60],
  ['longer', 61, Number.POSITIVE_INFINITY],
  ['all', 0, Number.POSITIVE_INFINITY],
] as const
printTable([
  ['right / wrong in 100', ...lengths.map(([name]) => name), 'guessed of none', 'µs p50', 'p99'],
  ...Object.entries(detectors).map(([name, detector]) => {
    const shares = lengths.map(([, least, most]) => {
      const some = all.filter(({ text }) => text.length >= least && text.length <= most)
      const told = some.map(({ language, text }) => ({ language, told: detector(text) }))
      const right = told.filter(({ language, told }) => told === language).length
      const unsure = told.filter(({ told }) => told === null).length
      const share = (count: number) => ((100 * count) / some.length).toFixed(0)
      return `${share(right)} / ${share(some.length - right - unsure)}`
    })
    const guessed = withoutLanguage.filter((text) => detector(text) !== null).length
    const times = timesOf(detector)
    const micros = [0.5, 0.99].map((at) => (1000 * quantile(times, at)).toFixed(0))
    return [name, ...shares, `${guessed} of ${withoutLanguage.length}`, ...micros]
  }),
])

/** Returns the sorted milliseconds of each call, of all rounds but the first two. */
function timesOf(detector: Detector): number[] {
  const times: number[] = []
  for (let round = -2; round < ROUNDS; round++) {
    for (const { text } of all) {
      const begun = performance.now()
      detector(text)
      if (round >= 0) times.push(performance.now() - begun)
    }
  }
  return times.sort((a, b) => a - b)
}
