import { type Model, packModel, unpackModel } from '../../src/redaction/tagger/model.ts'
import { AllFeatures, type FeatureNumbers } from './feature-numbers.ts'
import { Generator } from './generate.ts'
import { Trainer } from './train.ts'

interface Plan {
  messages: number
  /** The logarithm of the number of features that the model has. */
  bits: number
  seed: number
}

/** Trains a model on generated messages: once with every feature, and again with those that told most. */
export function trainModel({ messages, bits, seed }: Plan, print: (line: string) => void = () => {}): Model {
  generator ??= new Generator()
  const start = performance.now()
  const learn = <Numbers extends FeatureNumbers>(trainer: Trainer<Numbers>) => {
    for (let at = 0; at < messages; at++) {
      if (at === messages >> 1) trainer.average()
      trainer.learn((generator as Generator).make(`${seed} ${at}`))
    }
    const seconds = Math.round((performance.now() - start) / 1000)
    print(`${messages} messages, ${trainer.numbers.count} features, ${seconds} s`)
    return trainer
  }
  const all = learn(new Trainer(new AllFeatures(bits), seed))
  const chosen = all.numbers.choose((feature) => all.worth(feature))
  return unpackModel(packModel(learn(new Trainer(chosen, seed)).finish()))
}

/** Kept, because reading what it draws from takes a second. */
let generator: Generator | undefined
