#!/usr/bin/env node
// The one file in JavaScript: it runs on any Node, to say so where that one is too old, and the code that is compiled
// and has its types stripped is kept from the first start on, which this file comes before.
import module from 'node:module'
import v8 from 'node:v8'

const MAJOR_NEEDED = 26
const major = Number(process.versions.node.split('.')[0])

if (major < MAJOR_NEEDED) {
  process.stderr.write(`parley needs Node ${MAJOR_NEEDED} or newer; this is ${process.version}\n`)
  process.exitCode = 1
} else {
  // Starts after the first are quicker, and have no compiler in memory.
  module.enableCompileCache()
  // What loading leaves behind would make the young generation grow, and at rest it does not shrink.
  v8.setFlagsFromString('--semi-space-growth-factor=1')
  const words = process.argv.slice(2)
  const { loadCommand, runCommand } = await import('./commands/command-line.ts')
  const command = await loadCommand(words)
  v8.setFlagsFromString('--semi-space-growth-factor=2')
  process.exitCode = await runCommand(command, words)
}
