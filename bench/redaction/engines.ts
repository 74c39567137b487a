import { PEERS, requirePeer } from './peers.ts'

export interface Engine {
  redact(text: string): string | Promise<string>
}

/** The names of the engines: Parley first, then the peers. */
export const ENGINE_NAMES = ['parley', ...Object.keys(PEERS)]

/** Loads an engine with its defaults; fails if it is not installed or cannot run offline. */
export async function loadEngine(name: string): Promise<Engine> {
  const load = LOADERS[name]
  if (!load) throw new Error(`unknown engine ${name}`)
  return load()
}

interface Redactor {
  redact(text: string): string
}

const LOADERS: Record<string, () => Promise<Engine> | Engine> = {
  parley: async () => {
    const { href } = new URL('../../src/redaction/pattern-redactor.ts', import.meta.url)
    const { createPatternRedactor } = (await import(href)) as { createPatternRedactor(): Redactor }
    return createPatternRedactor()
  },
  'redact-pii': () => {
    const { SyncRedactor } = requirePeer('redact-pii') as { SyncRedactor: new () => Redactor }
    return new SyncRedactor()
  },
  openredaction: () => {
    const { OpenRedaction } = requirePeer('openredaction') as {
      OpenRedaction: new () => { detect(text: string): Promise<{ redacted: string }> }
    }
    const redactor = new OpenRedaction()
    return { redact: async (text) => (await redactor.detect(text)).redacted }
  },
  '@redactpii/node': () => {
    const { Redactor } = requirePeer('@redactpii/node') as { Redactor: new () => Redactor }
    return new Redactor()
  },
  // Only the masking check is loaded: the package's entry also loads checks that need a model.
  '@openai/guardrails': () => {
    const { pii, PIIConfig } = requirePeer('@openai/guardrails/dist/checks/pii.js') as {
      pii(context: object, text: string, config: unknown): Promise<{ info: { checked_text: string } }>
      PIIConfig: { parse(value: object): unknown }
    }
    const config = PIIConfig.parse({})
    return { redact: async (text) => (await pii({}, text, config)).info.checked_text }
  },
}
