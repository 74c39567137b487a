import { type Model, packModel, unpackModel } from '../../src/redaction/tagger/model.ts'
import { Generator } from './generate.ts'
import { Trainer } from './train.ts'

export interface Plan {
  messages: number
  /** The logarithm of the number of features that are told apart. */
  bits: number
  seed: number
}

/** Trains a model on generated messages. */
export function trainModel({ messages, bits, seed }: Plan, print: (line: string) => void = () => {}): Model {
  generator ??= new Generator()
  const trainer = new Trainer(bits, seed)
  const start = performance.now()
  for (let at = 0; at < messages; at++) {
    trainer.learn(generator.make(`${seed} ${at}`))
    if ((at + 1) % 50_000 === 0)
      print(`${at + 1} messages, ${Math.round((performance.now() - start) / 1000)} s`)
  }
  return unpackModel(packModel(trainer.finish()))
}

/** Kept, because reading what it draws from takes a second. */
let generator: Generator | undefined
