import { setImmediate } from 'node:timers/promises'
import { storableText } from '../../lib/storable-text.ts'
import { isObject, type JsonObject, toObject } from '../../lib/untrusted-json.ts'
import { SCHEMA_LIMIT } from '../prepare-schema.ts'
import { inlineReferences, SchemaError } from './inline-references.ts'

/** A tool as a server offers it. */
export interface Offer {
  /** The server's own name for the tool. */
  name: string
  description: string
  parameters: JsonObject
  idempotent: boolean
  /** The reason why the tool cannot be given to a model; null: it can. */
  problem: string | null
}

const MOST_OFFERED = 500
/** The most characters of all schemas of a server together. */
const SCHEMAS_LIMIT = 1_000_000
const DESCRIPTION_LIMIT = 4000
const NAME_LIMIT = 200

/** Reads what a server offers, page by page, up to a bound of tools and of memory. */
export function offerReader() {
  const offers = new Map<string, Offer>()
  let size = 0

  function read(given: JsonObject): void {
    const offer = readOffer(given)
    if (!offer || offers.has(offer.name)) return
    size += JSON.stringify(offer.parameters).length
    const problem = 'the schemas of its server are too large together'
    offers.set(offer.name, size > SCHEMAS_LIMIT ? { ...offer, parameters: {}, problem } : offer)
  }

  return {
    isFull: () => offers.size >= MOST_OFFERED,
    offers: () => [...offers.values()],
    async take(page: readonly JsonObject[]): Promise<void> {
      for (const given of page) {
        if (offers.size >= MOST_OFFERED) return
        read(given)
        // Some take milliseconds, so other work gets a turn.
        await setImmediate()
      }
    },
  }
}

/** Reads one tool of a server's list, without its `outputSchema`. Null if it has no name. */
function readOffer(given: JsonObject): Offer | null {
  const { name, title, description, inputSchema } = given
  if (typeof name !== 'string' || name === '' || name.length > NAME_LIMIT) return null
  const { readOnlyHint, idempotentHint } = toObject(given.annotations) ?? {}
  const said = [description, title, name].find((text) => typeof text === 'string' && text !== '') as string
  return {
    name,
    description: storableText(said.slice(0, DESCRIPTION_LIMIT)),
    idempotent: readOnlyHint === true || idempotentHint === true,
    ...readSchema(inputSchema),
  }
}

function readSchema(schema: unknown): Pick<Offer, 'parameters' | 'problem'> {
  const refused = (problem: string) => ({ parameters: {}, problem })
  if (!isObject(schema)) return refused('it has no schema of its arguments')
  try {
    const parameters = { properties: {}, ...inlineReferences(schema) }
    if (schema.type !== 'object') return refused('its schema is not of type object')
    if (!isObject(parameters.properties)) return refused('its schema has no object as properties')
    if (JSON.stringify(parameters).length > SCHEMA_LIMIT) return refused('its schema is too large')
    return { parameters, problem: null }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return refused(error.message)
  }
}

/** Tells whether a model is told of a tool. */
export function isOffered(
  { name, problem }: Pick<Offer, 'name' | 'problem'>,
  allow: readonly string[] | null,
): boolean {
  return problem === null && (allow === null || allow.includes(name))
}
