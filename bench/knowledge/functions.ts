import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { installPeers } from '../support/install-peers.ts'
import type { QuestionSet } from './faq.ts'
import { PEERS } from './peers.ts'

/** A library's description of one of its functions. */
interface FunctionDoc {
  name: string
  /** The description without examples. */
  text: string
  /** The description of the parameters and the result. */
  parameters: string
}

interface Library {
  folder: string
  files: RegExp
  /** Finds the comment that describes the function of a file. */
  comment: (source: string) => string | undefined
}

const SHORTEST_QUESTION = 3
const EACH_COMMENT = /\/\*\*([\s\S]*?)\*\//g
const LIBRARIES: Record<string, Library> = {
  lodash: {
    folder: 'lodash',
    files: /^[a-z]\w+\.js$/,
    comment: (source) => commentsOf(source).findLast((comment) => comment.includes('@static')),
  },
  'es-toolkit': { folder: 'es-toolkit/dist', files: /^(?!compat).*\.d\.ts$/, comment: firstComment },
  'es-toolkit/compat': { folder: 'es-toolkit/dist/compat', files: /\.d\.ts$/, comment: firstComment },
  ramda: { folder: 'ramda/src', files: /^[a-z]\w+\.js$/, comment: firstComment },
  underscore: { folder: 'underscore/modules', files: /^[a-z]\w+\.js$/, comment: lineComment },
}

/**
 * Reads the descriptions of the functions of some libraries; many differ only in a few words. The libraries are lodash
 * 4.18.1, es-toolkit 1.53.2, ramda 0.32.0 and underscore 1.13.8, all under the MIT licence.
 */
export function readFunctions(): Record<string, FunctionDoc[]> {
  installPeers(PEERS, { lodash: '4.18.1', 'es-toolkit': '1.53.2', ramda: '0.32.0', underscore: '1.13.8' })
  return Object.fromEntries(Object.entries(LIBRARIES).map(([name, library]) => [name, readLibrary(library)]))
}

/** Returns one library's functions as entries, each asked for with another library's description of the same name. */
export function readFunctionSet(
  libraries: Record<string, FunctionDoc[]>,
  of: string,
  by: string,
): QuestionSet {
  const questions = new Map(libraries[by]?.map((doc) => [doc.name, questionOf(doc)]))
  const entries = (libraries[of] ?? []).map(({ name, text, parameters }) => {
    const question = questions.get(name) ?? ''
    return {
      question: name,
      alternates: [],
      answer: `${text}\n${parameters}`,
      asked: question.split(' ').length < SHORTEST_QUESTION ? [] : [question],
    }
  })
  return { name: `${of} by ${by}`, entries, unanswerable: [] }
}

/** Returns a description's first sentence without the function's name. */
function questionOf({ name, text }: FunctionDoc): string {
  const plain = text.replace(/\{@link\s+(\w+)[^}]*\}/g, '$1').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
  const [sentence = plain] = /^[\s\S]*?\.(?=\s|$)/.exec(plain) ?? plain.split('\n\n')
  return sentence
    .replace(/\s+/g, ' ')
    .replace(new RegExp(`[\`_.]*\\b${name}\\b\`?`, 'gi'), '')
    .replace(/[`*]/g, '')
    .trim()
}

function readLibrary({ folder, files, comment }: Library): FunctionDoc[] {
  const root = join(PEERS, 'node_modules', folder)
  const docs = new Map<string, FunctionDoc>()
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!files.test(path) || /_internal|index\./.test(path)) continue
    const found = comment(readFileSync(join(root, path), 'utf8'))
    const name = basename(path).replace(/(\.d)?\.[jt]s$/, '')
    const doc = found === undefined ? null : parse(name, found)
    if (doc && doc.text.split(/\s+/).length > 3) docs.set(name, doc)
  }
  return [...docs.values()]
}

function commentsOf(source: string): string[] {
  return Array.from(source.matchAll(EACH_COMMENT), ([, comment = '']) => comment)
}

function firstComment(source: string): string | undefined {
  return commentsOf(source).find((comment) => /\w+\s+\w+\s+\w+/.test(comment.split('@')[0] ?? ''))
}

/** Returns the line comments directly above the function. */
function lineComment(source: string): string | undefined {
  const [, comment] = /((?:^\s*\/\/.*\n)+)export default/m.exec(source) ?? []
  return comment?.replace(/^\s*\/\/ ?/gm, '')
}

function parse(name: string, comment: string): FunctionDoc {
  const [text = '', ...tags] = comment.replace(/^\s*\*? ?/gm, '').split(/^@/m)
  const parameters = tags
    .filter((tag) => /^(param|returns?)\b/.test(tag))
    .map((tag) => tag.replace(/^\w+\s*(\{[^}]*\})?\s*(\[[^\]]*\]|[\w.]+)?\s*-?\s*/, '').trim())
  return { name, text: text.replace(/```[\s\S]*?```/g, '').trim(), parameters: parameters.join('\n') }
}
