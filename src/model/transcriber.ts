import type { TeamHttp } from '../lib/outbound/outbound.ts'
import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { toObject } from '../lib/untrusted-json.ts'
import type { ModelServer } from './ask-model-server.ts'
import { openJsonServer } from './json-server.ts'
import { ModelError } from './model.ts'

/** Writes down what is said in a sound. */
export interface Transcriber {
  /** @throws ModelError, AbortError */
  transcribe(sound: { bytes: Buffer; type: string }, signal: AbortSignal): Promise<string>
}

/** A server that writes down. All of them speak OpenAI's protocol. */
export type TranscriptionServer = Omit<ModelServer, 'kind'>

/** The name of such a server in errors. */
const SERVER = 'transcription server'
const TIMEOUT_MS = 60_000
const ANSWER_LIMIT = 1024 * 1024
const LONGEST = 20_000

/** The ends of file names by which servers tell what a sound is. */
const ENDS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/vnd.wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/x-flac': 'flac',
}

/**
 * A server that speaks OpenAI's `/audio/transcriptions`; an address that ends in `/inference` is that of whisper.cpp.
 * @throws ModelError `blocked` when the address is not a URL
 */
export function openTranscriber(server: TranscriptionServer, http: TeamHttp): Transcriber {
  const ask = openServer(server, http)
  return {
    async transcribe(sound, signal) {
      const said = await ask(sound, signal)
      if (!said) throw noText()
      return said
    },
  }
}

/**
 * Sends a server a second of silence, of which it may write down nothing.
 * @throws ModelError
 */
export async function tryTranscriptionServer(server: TranscriptionServer, http: TeamHttp): Promise<void> {
  if ((await openServer(server, http)({ bytes: silence(), type: 'audio/wav' })) === null) throw noText()
}

/** Returns a function that writes down a sound; null when the answer has no text at all. */
function openServer({ url, apiKey, name, trusted }: TranscriptionServer, http: TeamHttp) {
  const path = /\/inference\/?$/.test(url) ? 'inference' : 'audio/transcriptions'
  const server = openJsonServer({ kind: SERVER, url, path, apiKey, trusted })
  return async (
    { bytes, type }: { bytes: Buffer; type: string },
    signal?: AbortSignal,
  ): Promise<string | null> => {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(bytes)], { type }), `voice.${endOf(type)}`)
    form.append('model', name)
    form.append('response_format', 'json')
    const answer = await server.post(form, {
      http,
      texts: [],
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: ANSWER_LIMIT,
      ...(signal ? { signal } : {}),
    })
    const { text } = toObject(readPeerJsonOrNull(answer)) ?? {}
    return typeof text === 'string' ? text.trim().slice(0, LONGEST).toWellFormed() : null
  }
}

function noText(): ModelError {
  return new ModelError('protocol', `The ${SERVER} answered with no text`)
}

/** Returns a second of silence as a WAV file: one channel of 16,000 samples of 16 bits. */
function silence(): Buffer {
  const data = 2 * 16_000
  const wav = Buffer.alloc(44 + data)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + data, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(16_000, 24)
  wav.writeUInt32LE(data, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(data, 40)
  return wav
}

/** Returns the end of a file's name, such as `ogg`. */
function endOf(type: string): string {
  return ENDS[type] ?? /\/([a-z\d]{2,5})$/.exec(type)?.[1] ?? 'bin'
}
