import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventKeys } from '../../src/events/keys.ts'
import { raise } from '../../src/events/raise.ts'
import { compile, documentOf, type OpenApiDocument } from '../support/conforms.ts'
import { exampleIn } from '../support/guide.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'

interface WebhookDocument extends OpenApiDocument {
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: Record<string, unknown> } } } } }
  >
}

/** The keys of the interface. */
const KEYS = `prompt_submit response_start response_end automation_trigger automations_end response_like
  response_flag response_feedback referral_click cta_trigger cta_click guardrail_trigger attribution_click
  footer_click new_user new_device new_session new_conversation error`.split(/\s+/)

onBothEngines('webhooks in the OpenAPI document', (service) => {
  it('each of the keys, with its payload', async () => {
    const document = (await documentOf(service.app.url)) as WebhookDocument
    assert.deepEqual(Object.keys(document.webhooks).toSorted(), KEYS.toSorted())
    assert.deepEqual(Object.keys(eventKeys).toSorted(), KEYS.toSorted())
    const payload = document.components.schemas.WebhookPayload as {
      required: string[]
      properties: Record<string, unknown>
    }
    assert.deepEqual(payload.required.toSorted(), ['agent', 'event', 'notification'])
    assert.deepEqual(
      Object.keys(payload.properties).toSorted(),
      `notification event agent completion channel platform cta guardrail automation evaluator evaluation trace`
        .split(' ')
        .toSorted(),
    )
  })

  it("the guide's example is valid by its event's schema", async () => {
    const document = (await documentOf(service.app.url)) as WebhookDocument
    const example = JSON.parse(exampleIn('docs/webhooks.md', 'json', '"notification"'))
    const operation = document.webhooks[example.event.key]?.post
    assert.ok(operation)
    const checked = compile(operation.requestBody.content['application/json'].schema, document).safeParse(
      example,
    )
    assert.ok(checked.success, checked.error?.message ?? '')
  })

  it('what is sent is what the document says: parts of rules and channels come from the event', async () => {
    const agent = await service.addAgent()
    const receiver = await startReceiver()
    try {
      const { id } = await addNotification(agent, receiver.url, {
        events: ['guardrail_trigger', 'response_end'],
      })
      const { db } = service.app.app.foundation.database
      const answer = await agent.prompt('hello')
      await receiver.until(1)
      const channel = await db
        .insertInto('channels')
        .values({
          agent_id: agent.agentId,
          team_id: agent.teamId,
          kind: 'messenger-three',
          name: 'Shop',
          settings: '{}',
          created_at: '2026-11-21T00:00:00.000Z',
          updated_at: '2026-11-21T00:00:00.000Z',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .updateTable('completions')
        .set({ channel_id: channel.id })
        .where('id', '=', answer.id)
        .execute()
      await db.transaction().execute((db) =>
        raise(db, {
          key: 'guardrail_trigger',
          agent_id: agent.agentId,
          occurred_at: '2026-11-21T00:00:01.000Z',
          conversation_id: answer.conversation_id,
          completion_id: answer.id,
          data: {
            guardrail: { id: 7, name: 'No prices', on: 'prompt', action: 'flag' },
            evaluator: { id: 8, name: 'Prices' },
            evaluation: { score: 0.25, passed: false },
          },
        }),
      )
      await receiver.until(2)
      const payload = receiver.received[1]?.payload
      assert.deepEqual(
        {
          ...payload,
          completion: undefined,
          trace: undefined,
        },
        {
          notification: { id, name: 'Test receiver' },
          event: {
            key: 'guardrail_trigger',
            label: 'Guardrail triggered',
            occurred_at: '2026-11-21T00:00:01.000Z',
          },
          agent: { id: agent.agentId, name: 'Test agent' },
          channel: { id: channel.id, name: 'Shop' },
          platform: { id: 3, name: 'messenger-three' },
          guardrail: { id: 7, name: 'No prices' },
          evaluator: { id: 8, name: 'Prices' },
          evaluation: { score: 0.25, passed: false, content: null },
          completion: undefined,
          trace: undefined,
        },
      )
      const document = (await documentOf(service.app.url)) as WebhookDocument
      for (const { payload } of receiver.received) {
        const operation = document.webhooks[payload.event.key]?.post
        assert.ok(operation)
        const schema = compile(operation.requestBody.content['application/json'].schema, document)
        const checked = schema.safeParse(payload)
        assert.ok(checked.success, checked.error?.message ?? '')
      }
    } finally {
      await receiver.close()
    }
  })
})
