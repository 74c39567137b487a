import { z } from 'zod'
import { boundedText, headerSecret } from '../../http/schemas.ts'
import { storedSecret } from '../../http/stored-secret.ts'
import { type ModelKind, modelKinds } from '../../lib/model-kinds.ts'
import { httpAddress } from '../../lib/outbound/http-address.ts'
import { type Setting, setting, text } from './setting.ts'

const modelParameters = z
  .record(z.string().max(64), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 65_536, 'is too large')

/** Another server for the agent's model, with its key sealed. */
export interface StoredFallback {
  kind: ModelKind
  url: string
  api_key: string | null
  name: string | null
}

export const apiKey: Setting<z.ZodType<string | null>, typeof storedSecret, string | null> = {
  given: headerSecret(1000).nullable().describe('Stored sealed, never answered.'),
  shown: storedSecret,
  usual: null,
}

const server = {
  url: setting(
    httpAddress.nullable().describe("The server's address; null: the one of the installation."),
    text,
    null,
  ),
  api_key: apiKey,
  name: setting(boundedText(200).min(1).nullable(), text, null),
}

const kind = setting(
  z.enum(modelKinds).describe('The protocol that the server at `url` speaks.'),
  z.enum(modelKinds),
  'openai',
)

const givenFallbacks = z
  .array(
    z.strictObject({
      kind: kind.given.default(kind.usual),
      url: httpAddress,
      api_key: apiKey.given
        .optional()
        .describe(
          'Stored sealed, never answered. Absent: the key of the stored server with this kind, address and name ' +
            'stays, otherwise of one with this address or origin.',
        ),
      name: server.name.given.default(null).describe("Null: the name of the agent's model."),
    }),
  )
  .max(5)
  .describe(
    'Servers that are asked, in order, when the one before fails before the first piece of its answer.',
  )

const shownFallbacks = z.array(
  z.object({ kind: kind.shown, url: z.string(), api_key: storedSecret, name: text }),
)

const fallbacks: Setting<typeof givenFallbacks, typeof shownFallbacks, StoredFallback[]> = {
  given: givenFallbacks,
  shown: shownFallbacks,
  usual: [],
}

const imageModes = ['auto', 'on', 'off'] as const

/** The server that answers; a patch changes it field by field. */
export const model = {
  kind,
  ...server,
  fallbacks,
  parameters: setting(
    modelParameters.describe('Default request fields, such as temperature.'),
    z.record(z.string(), z.unknown()),
    {},
  ),
  images: setting(
    z
      .enum(imageModes)
      .describe(
        'Whether the model is sent pictures: `auto`: until its server refuses them, then words in their place.',
      ),
    z.enum(imageModes),
    'auto',
  ),
  timeout_ms: setting(
    z.int().min(10).max(600_000).nullable().describe('Longest wait for the next piece of an answer.'),
    z.int().nullable(),
    null,
  ),
}

/** The OpenAI-compatible server that turns texts into vectors; a patch changes it field by field. */
export const embedding = server

/** The OpenAI-compatible server that writes down voice messages; a patch changes it field by field. */
export const transcription = server
