import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressed } from './compressed.ts'
import { serviceWorker } from './service-worker.ts'
import { textParts } from './texts/parts.ts'

const LICENCE = fileURLToPath(new URL('../node_modules/@fontsource-variable/inter/LICENSE', import.meta.url))

/** The running service whose pages `npm run console` shows. */
const service = process.env.PARLEY_URL ?? 'http://127.0.0.1:8080'

/** The service sees the address that the browser asked: it refuses changes that come from another origin's pages. */
const toService = { target: service, changeOrigin: false }

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react(), textParts(), compressed(), serviceWorker(), licence()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The test of the first page's size reads the manifest.
    manifest: true,
    // Small files as `data:` addresses would need a weaker content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    // A hundred small files load more slowly than their bytes would, so the first page's scripts come in two files.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'console', test: /console\/main\.tsx$/, priority: 2 },
            { name: 'inbox', test: /pages\/inbox\/(InboxPage|NothingOpen)\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { port: 5173, host: '127.0.0.1', proxy: { '/console/api': toService, '/api': toService } },
})

/** Puts the font's licence beside the font, as the licence requires. */
function licence(): Plugin {
  return {
    name: 'parley-licence',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'assets/inter-OFL.txt', source: readFileSync(LICENCE) })
    },
  }
}
