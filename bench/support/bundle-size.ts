import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'

const ENTRY = 'virtual:entry'

/** Returns the bytes of a module for browsers, bundled with what it imports, minified and compressed with gzip. */
export async function bundledBytes(root: string, code: string): Promise<number> {
  const { output } = await build({
    cwd: root,
    input: ENTRY,
    write: false,
    logLevel: 'silent',
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? ENTRY : null),
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
    output: { minify: true },
  })
  return gzipSync(output[0].code, { level: 9 }).length
}
