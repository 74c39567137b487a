import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const SOURCE = fileURLToPath(new URL('service-worker.js', import.meta.url))

/** Writes the service worker, which names all scripts and styles of the build. */
export function serviceWorker(): Plugin {
  return {
    name: 'parley-service-worker',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const names = readdirSync(join(dir, 'assets')).filter((name) => /\.(js|css)$/.test(name))
      const files = JSON.stringify(names.sort().map((name) => `/console/assets/${name}`))
      const version = createHash('sha256').update(files).digest('hex').slice(0, 16)
      const source = readFileSync(SOURCE, 'utf8')
      const written = source.replace('FILES = []', () => `FILES = ${files}`).replace('VERSION', version)
      writeFileSync(join(dir, 'service-worker.js'), written)
    },
  }
}
