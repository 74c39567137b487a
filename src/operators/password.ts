import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { invalidField } from '../errors.ts'

const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 1024

/** The second set of OWASP's recommendations for argon2id: 19 MiB of memory, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const NONCE_BYTES = 16

const derive = promisify(argon2)

/** Hashes a password for storage: `argon2id.<memory>.<passes>.<nonce>.<tag>`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES)
  const tag = await derive('argon2id', { ...COST, message: normalized(password), nonce })
  return ['argon2id', COST.memory, COST.passes, nonce.toString('base64url'), tag.toString('base64url')].join(
    '.',
  )
}

/**
 * Tells whether a password matches a hash. Takes just as long when there is no hash, so that the time does not reveal
 * which accounts exist.
 */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, nonce = '', tag = ''] = (stored ?? ABSENT).split('.')
  const expected = Buffer.from(tag, 'base64url')
  const cost = { ...COST, memory: Number(memory), passes: Number(passes) }
  const made = await derive('argon2id', {
    ...cost,
    message: normalized(password),
    nonce: Buffer.from(nonce, 'base64url'),
  })
  return made.length === expected.length && timingSafeEqual(made, expected) && stored !== null
}

/** Replaces the hash of an account that has none. */
const ABSENT = `argon2id.${COST.memory}.${COST.passes}.${'A'.repeat(22)}.${'A'.repeat(43)}`

/** The most characters that are estimated, because the time grows with their square: 20 ms for 32, 300 for 256. */
const ESTIMATED = 32
/** The least estimate, of 4. Below it, less than a million guesses find the password. */
const LEAST_SCORE = 2

/** @throws ApiError invalid_request for a password that is too short, too long or too easy to guess */
export async function checkPassword(password: string): Promise<void> {
  const length = [...normalized(password)].length
  if (length < SHORTEST_PASSWORD) throw refused(`must have at least ${SHORTEST_PASSWORD} characters.`)
  if (length > LONGEST_PASSWORD) throw refused(`must have at most ${LONGEST_PASSWORD} characters.`)
  const estimate = await (estimator ??= loadEstimator())
  if (estimate.check(password.slice(0, ESTIMATED)).score < LEAST_SCORE) throw refused('is too easy to guess.')
}

let estimator: ReturnType<typeof loadEstimator> | undefined

/** Loads what takes some 8 megabytes of memory, only when somebody chooses a password, which is rare. */
async function loadEstimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

function refused(why: string) {
  return invalidField('password', why)
}

/** Makes a password the same on different keyboards and systems (RFC 8265 section 4.2: NFC). */
function normalized(password: string): string {
  return password.normalize('NFC')
}
