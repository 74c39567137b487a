// What would a library add to the widget in place of `widget/draw`? The bytes of each, with what a panel of JSX or
// templates needs of it, minified and gzipped; and those that all of the widget has left of its 20 kB.
import { globSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundledBytes } from './support/bundle-size.ts'
import { installPeers } from './support/install-peers.ts'
import { printTable } from './support/load.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PEERS = fileURLToPath(new URL('.peers/draw/', import.meta.url))
const MOST = 20_000

installPeers(PEERS, {
  preact: '11.2.0',
  'lit-html': '3.3.3',
  uhtml: '5.0.9',
  'vanjs-core': '1.6.1',
  superfine: '8.2.0',
  redom: '4.3.0',
})
const modules = {
  preact: "export { render } from 'preact'; export { jsx, jsxs, Fragment } from 'preact/jsx-runtime'",
  'lit-html':
    "export { html, render, svg } from 'lit-html'; export { repeat } from 'lit-html/directives/repeat.js'",
  uhtml: "export { html, render, svg } from 'uhtml'",
  'vanjs-core': "export { default } from 'vanjs-core'",
  superfine: "export { h, patch, text } from 'superfine'",
  redom: "export { el, list, mount, setChildren, svg, text } from 'redom'",
}
const own = "export { draw } from './widget/draw/draw.ts'; export * from './widget/draw/jsx-runtime.ts'"
const rows: [name: string, bytes: number][] = [['own', await bundledBytes(ROOT, own)]]
for (const [name, code] of Object.entries(modules)) rows.push([name, await bundledBytes(PEERS, code)])
printTable([['bytes of gzip', ''], ...rows])

const sizeOf = (pattern: string) =>
  globSync(`${ROOT}widget/dist/${pattern}.gz`).reduce((sum, file) => sum + statSync(file).size, 0)
const languages = readdirSync(`${ROOT}widget/texts`).map((file) => file.replace('.json', ''))
const texts = languages.map((language) => sizeOf(`assets/${language}-*.js`))
const first = sizeOf('widget.js') + sizeOf('assets/panel-*.js') + Math.max(...texts)
process.stdout.write(`\nleft of ${MOST} bytes in the largest language: ${MOST - first}\n`)
