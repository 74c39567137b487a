import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { it } from 'node:test'

/**
 * Names that nobody imports and that stay: those that the package's users, Vite, Node's runner and the compiler take,
 * and types that the declarations of the build name.
 */
const OPEN =
  /^(src\/redaction\/library|console\/vite\.config|test\/support\/file-results|widget\/(draw\/jsx-run|panel\/open-panel))|\/tables\.ts |(AnswerUnderWay|CodedSentences|InboxCounts)$/

const LISTS = /^(import|export)\s([\w\s{},*]*?)\sfrom\s*'(\.[^']+)'/gm
const LOADED = /\bimport\(\s*'(\.[^']+)'\s*\)(?:\.(?!then\b)(\w+))?/g
const DECLARED =
  /^export (?:default|(?:async |abstract )?(?:function\*?|class|const|let|type|interface|enum)\s+(\w+))/gm

it('each exported name is imported by another file', () => {
  const files = globSync('{*.ts,{src,console,widget,browser,bench,test,training}/**/*.{ts,tsx,js}}', {
    exclude: ['**/dist/**', '**/node_modules/**', 'bench/.peers/**'],
  })
  assert.ok(files.length > 1000)
  const text = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  assert.deepEqual(unused(text), [])
})

it('the names of lists, and names of all kinds, are seen', () => {
  const text = new Map([
    ['a/a.ts', "export const one = 1\nexport async function two() {}\nexport { three } from './b.ts'"],
    ['a/b.ts', 'export const three = 3\nexport interface Four {}\nexport default 5'],
    [
      'c.ts',
      "import { type Four as F, three } from './a/b.ts'\nconst { one } = await import('./a/a.ts').two",
    ],
    ['d.ts', 'export const five = 5\nexport const six = 6'],
    ['e.ts', "import * as d from './d.ts'\nd.five"],
  ])
  assert.deepEqual(unused(text), ['a/a.ts one', 'a/a.ts three', 'a/b.ts default', 'd.ts six'])
})

/** The names that a file uses of a module that it imports as `* as name`: each `name.one`, or `*`, which is all. */
function namesOfModule(text: string, names: string): string[] {
  const module = names.match(/\* as (\w+)/)?.[1]
  if (!module) return ['*']
  const code = text.replace(/\/\*.*?\*\/|\/\/.*?$/gms, '')
  const uses = code.matchAll(new RegExp(`(?<!\\* as )\\b${module}\\b(?:\\.(\\w+))?`, 'g'))
  return [...uses].map(([, name = '*']) => name)
}

/** The exported names of the files, given with their texts, that none of them imports. */
function unused(files: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>()
  const exported: string[] = []
  for (const [file, text] of files) {
    const use = (path: string, name: string) => used.add(`${normalize(join(dirname(file), path))} ${name}`)
    for (const [, keyword, names = '', path = ''] of text.matchAll(LISTS)) {
      // A name without braces takes the default.
      if (/^(type )?\w+(,|$)/.test(names)) use(path, 'default')
      if (names.includes('*')) for (const name of namesOfModule(text, names)) use(path, name)
      for (const part of names.match(/\{([^}]*)\}/)?.[1]?.split(',') ?? []) {
        const [name = '', as = name] = part
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        use(path, name)
        if (keyword === 'export' && name) exported.push(`${file} ${as}`)
      }
    }
    for (const [, path = '', name = '*'] of text.matchAll(LOADED)) use(path, name)
    // Tests export nothing (biome says so), but hold texts in which others do.
    if (file.endsWith('.test.ts')) continue
    for (const [, name = 'default'] of text.matchAll(DECLARED)) exported.push(`${file} ${name}`)
  }
  const isUsed = (name: string) => used.has(name) || used.has(name.replace(/ .*/, ' *')) || OPEN.test(name)
  return exported.filter((name) => !isUsed(name)).sort()
}
