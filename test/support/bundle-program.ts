// Bundles the program into a few files, which a process loads in half of the processor time that its 2,400 sources
// take. Usage: node test/support/bundle-program.ts <folder>
import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'rolldown'

const [folder = ''] = process.argv.slice(2)
const entries = ['src/main.js', 'test/support/lock-order.ts', ...globSync('src/**/*-{thread,process}.ts')]

/**
 * Writes the path of each source into the bundle, because the program finds its pages and guides beside its sources.
 * Threads and processes are found beside the bundle.
 */
const places: Plugin = {
  name: 'places',
  transform: {
    filter: {
      code: {
        include: /import\.meta\.(url|dirname)|__dirname|__filename/,
        exclude: /openThreads|openChildren/,
      },
    },
    handler(code, id) {
      const place = {
        'import.meta.url': pathToFileURL(id).href,
        'import.meta.dirname': dirname(id),
        __dirname: dirname(id),
        __filename: id,
      }
      const named = /\b(import\.meta\.(?:url|dirname)|__dirname|__filename)\b/g
      return code.replaceAll(named, (name) => JSON.stringify(place[name as keyof typeof place]))
    },
  },
}

/** Has the tables of languages read as JSON, in a quarter of the time, and names their file, which eld computes. */
const languages: Plugin = {
  name: 'languages',
  transform: {
    filter: { id: /\/eld\/src\/(entries\/dynamic|ngrams\/small)\.js$/ },
    async handler(code, id) {
      if (id.endsWith('dynamic.js'))
        return code.replace(/import\('\.\.\/ngrams\/'.*?\)/, "import('../ngrams/small.js')")
      const { ngramsData } = await import(id)
      return `export const ngramsData = JSON.parse(${JSON.stringify(JSON.stringify(ngramsData))})`
    },
  },
}

await build({
  input: Object.fromEntries(entries.map((file) => [basename(file).replace(/\.\w+$/, ''), file])),
  platform: 'node',
  // Unused exports cost less than finding them.
  treeshake: false,
  // Large libraries that few processes load.
  external: [/^(@modelcontextprotocol|mammoth|nodemailer|openid-client|sharp|unpdf)/],
  plugins: [places, languages],
  output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs', sourcemap: true },
})
