import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { packModel } from '../../src/redaction/tagger/model.ts'
import { trainModel } from './train-model.ts'

/**
 * Trains the tagger of redaction from nothing and writes its model: `--messages <n>`, `--bits <n>`, `--seed <n>`,
 * `--out <file>`.
 */
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '300000' },
    bits: { type: 'string', default: '18' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
})
const model = trainModel(
  { messages: Number(values.messages), bits: Number(values.bits), seed: Number(values.seed) },
  (line) => process.stdout.write(`${line}\n`),
)
const out = values.out ?? new URL('../../src/redaction/tagger/model.bin', import.meta.url)
writeFileSync(out, packModel(model))
