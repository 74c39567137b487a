import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { boundedText, errors, headerSecret, optionalBody, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import { modelKinds } from '../lib/model-kinds.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import { presentAgent, readAgent } from './agent.ts'
import type { CheckPatch } from './check-patch.ts'
import { agentChange, agentSchema } from './settings.ts'
import { type TestModelDependencies, testModel } from './test-model.ts'
import { type UpdateDependencies, updateAgent } from './update-agent.ts'

interface Dependencies extends TestModelDependencies, UpdateDependencies {
  clock: Clock
  /** Checks rules that the schema of a patch cannot express, such as permitted addresses. Throws an ApiError. */
  checkPatch: CheckPatch
}

export function agentRoutes(server: Server, dependencies: Dependencies): void {
  const { db, box, clock, checkPatch } = dependencies

  server.get(
    '/agent',
    {
      config: { right: 'read' },
      schema: { summary: 'The requesting agent', response: { 200: single(agentSchema) } },
    },
    async ({ caller }) => ({ data: presentAgent(await readAgent(db, caller.agentId), box) }),
  )

  server.patch(
    '/agent',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change settings of the requesting agent',
        body: agentChange,
        response: { 200: single(agentSchema), ...errors('version_outdated') },
      },
    },
    async (request) => {
      const { caller, body } = request
      await checkPatch(body, (await readAgent(db, caller.agentId)).settings)
      const changed = await updateAgent(dependencies, caller.agentId, body, byCaller(request), clock())
      return { data: presentAgent(changed, box) }
    },
  )

  server.post(
    '/agent/test-model',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Try the model: asks it for a word, and answers what its server said',
        description:
          'With fields in the body, the model that they describe is tried before it is saved. The saved key is sent only to the saved address. A server that refuses tools is not `ok` when the agent offers some.',
        body: optionalBody(triedModel),
        response: { 200: single(modelTest) },
      },
    },
    async ({ caller, body }) => ({
      data: await testModel(dependencies, await readAgent(db, caller.agentId), body),
    }),
  )
}

export const triedModel = z.strictObject({
  kind: z.enum(modelKinds).optional(),
  url: httpAddress.optional(),
  api_key: headerSecret(4096).optional(),
  name: boundedText(200).min(1).optional(),
})

export const modelTest = z
  .object({
    ok: z.boolean(),
    model: z.string().nullable().describe('Null: there is no model server, the built-in answerer answers.'),
    status: z.int().nullable().describe("The server's status, when it refused."),
    code: z.string().nullable(),
    message: z.string().describe("The server's own words, without credentials."),
    other_kind: z
      .enum(modelKinds)
      .nullable()
      .describe('The `kind` of the server, when it speaks another protocol than it was asked in.'),
    ms: z.int(),
  })
  .meta({ id: 'ModelTest' })
