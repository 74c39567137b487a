import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes a compressed copy of each built script and style sheet, so the service never compresses anything itself. */
export function compressed(): Plugin {
  return {
    name: 'parley-compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets)) {
        if (!/\.(js|css|svg)$/.test(name)) continue
        const file = join(assets, name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
        )
      }
    },
  }
}
