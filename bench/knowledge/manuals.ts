import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Long pages about one product, and questions with the pages that answer them. */
interface Manual {
  name: string
  pages: { path: string; text: string }[]
  questions: { asked: string; answeredBy: string[] }[]
}

/** Reads Parley's own documentation, and that of two packages. The questions were written for the bench. */
export function readManuals(): Manual[] {
  return [
    {
      name: 'guide',
      pages: [...readPages('docs', 'docs/'), readPage('', 'README.md')],
      questions: readQuestions('guide-questions.txt'),
    },
    {
      name: 'fastify',
      pages: readPages('node_modules/fastify/docs'),
      questions: readQuestions('fastify-questions.txt'),
    },
    {
      name: 'ai',
      // The reference lists only names and types.
      pages: readPages('node_modules/ai/docs').filter(({ path }) => !path.startsWith('07-reference')),
      questions: readQuestions('ai-questions.txt'),
    },
  ]
}

/** Reads the Markdown pages of a folder. @param called the prefix of the paths */
function readPages(folder: string, called = ''): Manual['pages'] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => /\.mdx?$/.test(path))
    .sort()
    .map((path) => ({ ...readPage(folder, path), path: called + path }))
}

function readPage(folder: string, path: string) {
  return { path, text: readFileSync(join(ROOT, folder, path), 'utf8') }
}

/** Reads lines of a question and of the parts of paths that identify the pages that answer it. */
function readQuestions(name: string): Manual['questions'] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [pages = '', asked = ''] = line.split(' | ')
      return { asked, answeredBy: pages.split(' ') }
    })
}
