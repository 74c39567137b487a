import type { Random } from '../random.ts'

const list = (text: string) => text.split('|')

/** Days, months and years as people dictate them. */
const SPOKEN: Record<string, { days: string[]; months: string[]; years: string[]; form: string }> = {
  en: {
    days: list('first|third|seventh|twelfth|nineteenth|twenty-second|thirtieth'),
    months: list('january|march|may|june|august|october|december'),
    years: list(
      'nineteen sixty-two|nineteen seventy one|nineteen eighty-four|nineteen ninety|two thousand and one',
    ),
    form: 'the %d of %m %y',
  },
  de: {
    days: list('ersten|dritten|siebten|zwölften|neunzehnten|zweiundzwanzigsten'),
    months: list('januar|märz|mai|juni|august|oktober|dezember'),
    years: list(
      'neunzehnhundertzweiundsechzig|neunzehnhunderteinundsiebzig|neunzehnhundertneunzig|zweitausendeins',
    ),
    form: '%d %m %y',
  },
  fr: {
    days: list('premier|trois|sept|douze|dix-neuf|vingt-deux'),
    months: list('janvier|mars|mai|juin|août|octobre|décembre'),
    years: list('mille neuf cent soixante-deux|mille neuf cent quatre-vingt-quatre|deux mille un'),
    form: 'le %d %m %y',
  },
}

/** A date of birth in words: `the third of may nineteen eighty-four`. */
export function spokenDate(random: Random, language: string): string {
  const spoken = SPOKEN[language]
  if (!spoken) throw new Error(`no spoken dates for ${language}`)
  return spoken.form
    .replace('%d', random.pick(spoken.days))
    .replace('%m', random.pick(spoken.months))
    .replace('%y', random.pick(spoken.years))
}

/** A date of birth in bare digits: `03051984`. */
export function bareDate(random: Random): string {
  const day = String(1 + random.below(28)).padStart(2, '0')
  const month = String(1 + random.below(12)).padStart(2, '0')
  return `${day}${month}${1945 + random.below(58)}`
}
