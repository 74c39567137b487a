import { randomFrom } from './random.ts'

/** The seed of the random choices in tests of faults. `npm run test:faults` sets another in each round. */
export const seed = Number(process.env.PARLEY_TEST_SEED ?? 1)

/** Returns a function that draws whole numbers between two bounds, both included: the same ones with the same seed. */
export function drawing(): (least: number, most: number) => number {
  const random = randomFrom(seed)
  // The first numbers of small seeds are all near zero.
  for (let skipped = 0; skipped < 3; skipped++) random()
  return (least, most) => least + Math.floor(random() * (most - least + 1))
}
