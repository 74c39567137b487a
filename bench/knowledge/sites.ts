import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PEERS } from './peers.ts'

/** A documentation site that comes with a package, and questions with the pages that answer them. */
export interface Site {
  name: string
  /** True if nothing was chosen by its results. */
  isHeldBack: boolean
  pages: { path: string; text: string }[]
  questions: { asked: string; answeredBy: string[] }[]
}

interface Source {
  package: string
  version: string
  /** The folder of the pages within the package. */
  folder: string
  /** Picks the pages that are read. All when absent. */
  only?: RegExp
  isHeldBack?: true
}

/** Only names, versions and questions are kept here. The pages stay under the licences of their packages. */
const SOURCES: Record<string, Source> = {
  directus: { package: '@directus/docs', version: '9.22.3', folder: '', only: /^(?!contributing|reference)/ },
  gitbook: { package: 'gitbook', version: '3.2.3', folder: 'docs' },
  next: { package: 'next', version: '16.4.6', folder: 'dist/docs/01-app', only: /^0[12]/ },
  npm: { package: 'npm', version: '11.21.2', folder: 'docs/content' },
  pino: { package: 'pino', version: '10.4.0', folder: 'docs' },
  'semantic-release': { package: 'semantic-release', version: '24.2.9', folder: 'docs' },
  graphcommerce: {
    package: '@graphcommerce/docs',
    version: '10.0.3',
    folder: '',
    only: /^(?!upgrading|CHANGELOG)/,
    isHeldBack: true,
  },
  mercurius: { package: 'mercurius', version: '16.10.1', folder: 'docs', isHeldBack: true },
  tiddlywiki: {
    package: 'tiddlywiki',
    version: '5.4.1',
    folder: 'editions/tw5.com/tiddlers',
    only: /^(customising|features|gettingstarted|hellothere|howtos|learning|nodejs|saving|webserver|workingwithtw)\//,
    isHeldBack: true,
  },
}

/**
 * Reads the sites. Packages are fetched from the registry once, without their dependencies, into the folder that
 * PARLEY_BENCH_CACHE names, or beside the other peers.
 */
export function readSites(isRead: (isHeldBack: boolean) => boolean): Site[] {
  return Object.entries(SOURCES)
    .filter(([, { isHeldBack = false }]) => isRead(isHeldBack))
    .map(([name, source]) => ({
      name,
      isHeldBack: source.isHeldBack ?? false,
      pages: readPages(join(fetchPackage(source), source.folder), source.only),
      questions: readQuestions(name),
    }))
}

const FETCH_WITHIN_MS = 300_000
/** The most pages that are read of a site. */
const MOST_PAGES = 1000

function fetchPackage({ package: name, version }: Source): string {
  const cache = process.env.PARLEY_BENCH_CACHE ?? join(PEERS, 'sites')
  const folder = join(cache, `${name.replace('/', '-')}-${version}`)
  if (existsSync(join(folder, 'package.json'))) return folder
  mkdirSync(folder, { recursive: true })
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, {
      cwd: folder,
      timeout: FETCH_WITHIN_MS,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const packed = run('npm', ['pack', `${name}@${version}`, '--silent'])
  const archive = packed.toString().trim().split('\n').at(-1) ?? ''
  run('tar', ['xzf', archive, '--strip-components=1'])
  rmSync(join(folder, archive))
  return folder
}

function readPages(folder: string, only = /^/): Site['pages'] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => /\.(?:mdx?|tid)$/.test(path) && !path.startsWith('.') && only.test(path))
    .sort()
    .slice(0, MOST_PAGES)
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      return path.endsWith('.tid') ? { path, text: readTiddler(text) } : { path, text }
    })
}

/** Reads a page of TiddlyWiki as Markdown: its fields become front matter, and what it runs is left out. */
function readTiddler(source: string): string {
  const [fields = '', ...body] = source.split('\n\n')
  const title = /^title: (.*)$/m.exec(fields)?.[1] ?? ''
  const text = body
    .join('\n\n')
    .replace(/<<[^>]*>>|\{\{[^}]*\}\}|\[img[^\]]*\]\]?|<\/?[$a-z][^>]*>/g, '')
    .replace(/\[\[([^\]|]*)(?:\|[^\]]*)?\]\]/g, '$1')
    .replace(/^(!+)/gm, (marks) => '#'.repeat(marks.length))
    .replace(/^\*/gm, '-')
    .replace(/''|~(?=[A-Z])/g, '')
  return `---\ntitle: ${JSON.stringify(title)}\n---\n${text}`
}

/** Reads lines of the paths of pages, without their endings, and a question that they answer. */
function readQuestions(name: string): Site['questions'] {
  return readFileSync(new URL(`sites/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [pages = '', asked = ''] = line.split(' | ')
      return { asked, answeredBy: pages.split(', ') }
    })
}

/** The ways in which a question reaches an agent. */
export const WRAPPINGS = ['bare', 'sentence', 'mail'] as const
type Wrapping = (typeof WRAPPINGS)[number]

/** Puts a question as people send it: alone, with a greeting and thanks, or in a mail of about 90 words. */
export function wrap(question: string, wrapping: Wrapping, site: Site, at: number): string {
  if (wrapping === 'bare') return question
  const asked = question.charAt(0).toUpperCase() + question.slice(1)
  const sentence = /[?.!]$/.test(asked) ? asked : `${asked}.`
  const templates = (site.isHeldBack ? HELD_BACK : TUNED)[wrapping]
  return (templates[at % templates.length] ?? '').replace('…', () => sentence)
}

type Templates = Record<Exclude<Wrapping, 'bare'>, readonly string[]>

const TUNED: Templates = {
  sentence: [
    'Hi there, I hope you are doing well! … Thanks a lot in advance!',
    'Hello, I have a question for you. … Thank you so much for your help.',
    'Good morning everyone, sorry to bother you again. … Have a nice day!',
  ],
  mail: [
    `Dear support team,

I took over this project from a colleague who left the company last month, and I am still finding my way around. Yesterday I spent most of the afternoon on one thing and could not work it out, although I read through a good part of the help pages. … My manager would like to show the result to a customer on Thursday, so a short answer would already help us a lot.

Thank you very much for your time and best regards,

Maria Hoffmann
Head of Digital Projects
Brightwater Logistics Ltd.
Phone +44 20 7946 0958`,
    `Hello,

we have been using your product since spring and are really happy with it, so first of all many thanks to everybody who works on it. There is just one point on which two of my colleagues and I do not agree, and nobody here dares to simply try it out before the weekend. … If that is not possible at the moment, please tell me as well, because then we would plan the whole thing differently for next year.

Kind regards from Utrecht,
Pieter van Dam

Van Dam & Zonen, Oudegracht 112, 3511 AW Utrecht
Sent from my iPhone`,
    `Hi,

thanks for your quick reply last week, that part works now. While we are at it I would like to ask something else, and please forgive me if it is written down somewhere and I just did not see it. … I already asked in the forum but nobody has written back in three days. We are a small team of four people and none of us does this every day.

Cheers
Olu

> On Monday, the support team wrote:
> Please open the settings, delete the old entry and start the program again. If it
> still does not work, send us a screenshot of the message and the version you use.`,
  ],
}

/** Those of the sites that are held back differ, so that nothing fits them by chance. */
const HELD_BACK: Templates = {
  sentence: [
    'Hey guys, great work so far! … Cheers, Tom',
    'Good afternoon. I would be glad if somebody could tell me something. … Many thanks and all the best',
    'Hi! Quick one from me today: … Any hint is appreciated :)',
  ],
  mail: [
    `Good evening,

I am writing to you on behalf of our small association, which moved to your software at the beginning of the year because the old one was no longer maintained. Most of our members are not very technical, and it usually ends up on my desk when something is unclear. … I looked at a couple of videos on the weekend but they all showed an older version that looks quite different. It would be great if you could point me in the right direction when you find a minute.

Yours sincerely
Dr. Ingrid Solberg
Treasurer, Friends of the City Library
www.example.org | Tel. 0047 22 33 44 55`,
    `Hi team,

quick background: we are an agency with about twenty clients, and one of them called this morning in a rather bad mood. I promised to get back before lunch tomorrow, so I hope that you can save my day. … I tried two or three things that I found on the internet, none of which did anything, and then I put it all back the way it was. By the way, the last update made everything much faster, well done!

Best
Sanjay

Sanjay Mehta · Senior Consultant · Northgate Digital
This message may contain confidential information. If you are not the intended recipient, please delete it.`,
    `To whom it may concern,

my name is Elena and I am a student who writes her thesis with the help of your program. My supervisor suggested that I should ask you directly before I lose more time. … I use a laptop that is about five years old and belongs to the university, in case that matters. I am sorry if this is a silly question, I only started with all of this in October.

With kind regards and many thanks for reading this far,
Elena Papadaki

-----Original Message-----
From: Prof. Kostas Vlahos
Subject: your draft
Please shorten the second chapter, and send me the figures again before Friday.`,
  ],
}
