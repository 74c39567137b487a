import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import zopfli from '@gfx/zopfli'
import { build, type InlineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const dist = join(root, 'dist')
/** The folder of the files that load when a chat opens, served below /widget/assets. */
const parts = join(dist, 'assets')

/** The oldest browsers that know everything in the style sheets. For older ones Vite would write each colour twice. */
const cssTarget = ['chrome123', 'firefox120', 'safari17.5']

const common = {
  root,
  configFile: false,
  logLevel: 'error',
  publicDir: false,
  // Relative, because the address of the service is known only in the browser.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'draw' } },
  resolve: { alias: { 'draw/jsx-runtime': join(root, 'draw/jsx-runtime.ts') } },
} satisfies InlineConfig

rmSync(dist, { recursive: true, force: true })
await buildPanel(writeTexts())
await buildLauncher(nameOfPanel())
writePresentPanel(nameOfPanel())
await compress(dist)
await compress(join(dist, 'widget'))
await compress(parts)

/**
 * Writes the modules of each language: the panel's texts, without their names, which the panel has, the texts that come
 * late in a conversation, and those about files and about mail, which only a chat with these loads.
 * @returns the hash of all texts, which the files' names carry, and the names of the panel's texts in order
 */
function writeTexts(): { hash: string; names: string } {
  const read = (file: string) => JSON.parse(readFileSync(join(root, 'texts', file), 'utf8'))
  const names = Object.keys(read('en.json').panel)
  const files = readdirSync(join(root, 'texts')).flatMap((file) => {
    const { panel, late, uploads, refusals, mail } = read(file)
    const language = file.replace('.json', '')
    return [
      { name: language, texts: names.map((name) => panel[name]) },
      { name: `late-${language}`, texts: late },
      { name: `files-${language}`, texts: { ...uploads, ...refusals } },
      { name: `mail-${language}`, texts: mail },
    ]
  })
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('base64url').slice(0, 8)
  mkdirSync(parts, { recursive: true })
  for (const { name, texts } of files)
    writeFileSync(join(parts, `${name}-${hash}.js`), `export default${JSON.stringify(texts)}`)
  return { hash, names: names.join(' ') }
}

/** Builds the code that loads when a chat opens; its name carries a hash. @param texts the result of writeTexts */
function buildPanel(texts: { hash: string; names: string }) {
  return build({
    ...common,
    define: { TEXTS_HASH: JSON.stringify(texts.hash), TEXTS_NAMES: JSON.stringify(texts.names) },
    build: {
      outDir: parts,
      emptyOutDir: false,
      cssTarget,
      modulePreload: false,
      assetsInlineLimit: 0,
      cssMinify: true,
      // As a library, because Vite wraps what other builds import later.
      lib: { entry: { panel: join(root, 'panel/open-panel.ts') }, formats: ['es'] },
      rolldownOptions: {
        // Code that loads later imports what it shares with the panel from the panel itself. A shared file would be one
        // more to load at first.
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          minify: true,
          comments: false,
        },
      },
    },
  })
}

/**
 * Builds the one file that pages name. It works as a classic script and as a module, so it exports nothing and leaves
 * no name behind.
 */
function buildLauncher(panel: string) {
  return build({
    ...common,
    define: { PANEL: JSON.stringify(`./widget/assets/${panel}`) },
    build: {
      outDir: dist,
      emptyOutDir: false,
      cssTarget,
      modulePreload: false,
      rolldownOptions: {
        input: { widget: join(root, 'launcher/main.ts') },
        output: { format: 'iife', entryFileNames: '[name].js' },
      },
    },
  })
}

/** Writes the module that loads the panel under its present name, with the query that this module was asked with. */
function writePresentPanel(panel: string): void {
  const address = `${JSON.stringify(`./assets/${panel}`)}+new URL(import.meta.url).search`
  mkdirSync(join(dist, 'widget'))
  writeFileSync(join(dist, 'widget/panel.js'), `export const{openPanel}=await import(${address})`)
}

function nameOfPanel(): string {
  const name = readdirSync(parts).find((file) => file.startsWith('panel-'))
  if (!name) throw new Error('the panel was not built')
  return name
}

/** Writes a compressed copy of each script, so that the service never compresses anything itself. */
async function compress(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.js')) continue
    const file = join(folder, name)
    const bytes = readFileSync(file)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
    writeFileSync(`${file}.gz`, await zopfli.gzipAsync(bytes, { numiterations: 500 }))
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality))
  }
}
