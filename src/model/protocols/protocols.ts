import type { ModelKind } from '../../lib/model-kinds.ts'
import { ModelError } from '../model.ts'
import { anthropicProtocol } from './anthropic/anthropic.ts'
import { azureProtocol } from './azure.ts'
import { geminiProtocol } from './gemini/gemini.ts'
import { openaiProtocol } from './openai.ts'
import type { Protocol, ServerAddress } from './protocol.ts'

const PROTOCOLS: Record<ModelKind, (address: ServerAddress) => Protocol> = {
  openai: openaiProtocol,
  anthropic: anthropicProtocol,
  gemini: geminiProtocol,
  azure: azureProtocol,
}

/** @throws ModelError `blocked` when the address is not a URL */
export function openProtocol(kind: ModelKind, base: string, apiKey: string | null): Protocol {
  const url = URL.parse(base)
  if (!url) throw new ModelError('blocked', 'The address of the model server is not a URL')
  return PROTOCOLS[kind]({ url, apiKey })
}
