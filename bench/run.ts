// Runs benches by name, or lists them: npm run bench -- list relay
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const here = import.meta.dirname
const benches = readdirSync(here).flatMap((name) => (/^(?!run\.)(.+)\.ts$/.exec(name) ?? []).slice(1))
const asked = process.argv.slice(2)
if (asked.length === 0) process.stdout.write(`Benches: ${benches.join(', ')}\n`)
for (const name of asked) {
  if (!benches.includes(name)) throw new Error(`there is no bench '${name}': ${benches.join(', ')}`)
  process.stdout.write(`\n# ${name}\n`)
  const { status } = spawnSync(process.execPath, [`${here}/${name}.ts`], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
