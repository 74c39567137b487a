import { z } from 'zod'
import { presentSteps } from '../actions/steps.ts'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { personOf } from '../http/operator-of.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { sentVersion } from '../http/version.ts'
import { timestamp } from '../lib/clock.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import { macroPreview, macroRunSchema, macroSchema, newMacro, presentMacro, presentRun } from './macro.ts'
import { previewMacro, type RunDependencies, runMacro, undoRun } from './run-macro.ts'
import { changeMacro, createMacro, mayChange, readMacro, removeMacro } from './save-macro.ts'
import { selectMacros } from './store.ts'

export const macroPatch = newMacro
  .extend({ shared: newMacro.shape.shared.unwrap(), version: sentVersion })
  .partial()

const id = idParam('Id of the macro.')
const inConversation = conversationId.extend({ macro_id: z.string().describe('Id of the macro.') })
const ofRun = conversationId.extend({ run_id: z.string().describe('Id of the run.') })

/** Adds the routes of macros: actions with a name, own or shared, that people run in conversations. */
export function macroRoutes(server: Server, dependencies: RunDependencies): void {
  const { db, box, clock } = dependencies

  server.get(
    '/macros',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The macros that the caller has, own and shared, by name',
        response: { 200: z.object({ data: z.array(macroSchema) }) },
      },
    },
    async ({ caller }) => {
      const macros = await selectMacros(db, caller.agentId, personOf(caller))
      return { data: macros.map((row) => presentMacro(row, mayChange(caller, row), box)) }
    },
  )

  server.post(
    '/macros',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Save a macro, for oneself or for everybody',
        body: newMacro,
        response: {
          201: single(macroSchema),
          ...errors('operator_needed', 'insufficient_right', 'too_many_macros'),
        },
      },
    },
    async (request, response) => {
      const { caller, body } = request
      const made = await createMacro(dependencies, caller, body, timestamp(clock()), byCaller(request))
      return response.code(201).send({ data: presentMacro(made, true, box) })
    },
  )

  server.patch(
    '/macros/:id',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Change a macro field by field',
        description:
          'A shared one that somebody else made requires the right `manage`. One that is no longer shared belongs to who made it, or to the caller if that person has left the team.',
        params: id,
        body: macroPatch,
        response: {
          200: single(macroSchema),
          ...errors('operator_needed', 'macro_not_found', 'version_outdated', 'too_many_macros'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const now = timestamp(clock())
      const changed = await changeMacro(dependencies, caller, params.id, body, now, byCaller(request))
      return { data: presentMacro(changed, mayChange(caller, changed), box) }
    },
  )

  deleteRoute(
    server,
    '/macros/:id',
    'respond',
    {
      summary: 'Delete a macro',
      description: 'A shared one that somebody else made requires the right `manage`.',
      params: id,
      response: errors('macro_not_found'),
    },
    ({ caller, params }, by) => removeMacro(db, caller, params.id, timestamp(clock()), by),
  )

  const notFound = errors('conversation_not_found', 'macro_not_found')

  server.get(
    '/conversations/:id/macros/:macro_id',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'previewMacro',
        summary: 'What a macro would do in a conversation, action by action, without doing it',
        description: 'Each action is looked at by itself, as if those before it had not been carried out.',
        tags: ['macros'],
        params: inConversation,
        response: { 200: single(macroPreview), ...notFound },
      },
    },
    async ({ caller, params }) => {
      const conversation = await findConversation(db, caller, params.id)
      const macro = await readMacro(db, caller, params.macro_id)
      const steps = await previewMacro(dependencies, conversation, macro, caller)
      return { data: { macro: { id: macro.id, name: macro.name }, actions: presentSteps(steps) } }
    },
  )

  server.post(
    '/conversations/:id/macros/:macro_id',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'runMacro',
        summary: 'Run a macro in a conversation',
        description: 'An action that fails is told in the answer; the others are carried out all the same.',
        tags: ['macros'],
        params: inConversation,
        response: { 200: single(macroRunSchema), ...notFound },
      },
    },
    async (request) => {
      const { caller, params } = request
      const conversation = await findConversation(db, caller, params.id)
      const macro = await readMacro(db, caller, params.macro_id)
      const by = byCaller(request)
      return { data: presentRun(await runMacro(dependencies, conversation, macro, caller, by, null)) }
    },
  )

  server.post(
    '/conversations/:id/macro-runs/:run_id/undo',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'undoMacro',
        summary: 'Undo the actions of a macro that can be undone and that nobody has changed since',
        tags: ['macros'],
        params: ofRun,
        response: {
          200: single(macroRunSchema),
          ...errors('conversation_not_found', 'macro_run_not_found'),
        },
      },
    },
    async (request) => {
      const { caller, params } = request
      const conversation = await findConversation(db, caller, params.id)
      const run = await undoRun(dependencies, conversation, params.run_id, caller, byCaller(request))
      return { data: presentRun(run) }
    },
  )
}
