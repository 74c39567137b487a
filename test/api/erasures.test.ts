import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { it } from 'node:test'
import { openErasures } from '../../src/app/open-erasures.ts'
import { bySystem } from '../../src/audit/record.ts'
import { canonicalJson } from '../../src/receipts/canonical-json.ts'
import { erasedOf } from '../../src/receipts/erased.ts'
import { isSigned, type SignedReceipt } from '../../src/receipts/receipt.ts'
import { commitmentTo } from '../../src/receipts/subject.ts'
import { forgetBackup, noteBackup } from '../../src/storage/backups.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { growingParts, planOf, queriesOfRequests } from '../support/list-plans.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { applyRetentionAt } from '../support/retention.ts'

const WORD = 'Quittungsfalter'
const TEXT = `${WORD}: write to jane.doe@example.com or call +44 20 7946 0958`
const DAY_MS = 86_400_000

type UserErasure = SignedReceipt & { subject_key: string }

onBothEngines(
  'receipts of erasures',
  (service) => {
    const ofUser = async (agent: TestAgent, id: string): Promise<UserErasure[]> =>
      (await agent.get(`/users/${id}/erasures`)).body.data
    const ofCompletion = async (agent: TestAgent, id: string | number): Promise<SignedReceipt> =>
      (await agent.get(`/chat/completions/${id}/erasure`)).body.data

    async function needsManage({ teamId, agentId }: TestAgent, path: string): Promise<void> {
      const person = await signInNew(service.app, { teamId, right: 'respond' })
      assertError(await person.call('GET', `/agents/${agentId}${path}`), 403, 'insufficient_right')
    }

    /** Repeats a call until nothing is left; returns the number of calls. */
    async function redact(agent: TestAgent, path: string): Promise<number> {
      for (let calls = 1; ; calls++) {
        const { status, body, text } = await agent.post(path)
        assert.equal(status, 200, text)
        assert.deepEqual(Object.keys(body.data), ['id', 'mode', 'messages_redacted', 'remaining'])
        if (body.data.remaining === 0) return calls
      }
    }

    it('GET /users/{id}/erasures 200: one signed receipt, however many calls the erasure took', async () => {
      const agent = await service.addAgent()
      for (let count = 0; count < 3; count++) await agent.prompt(TEXT, { user: 'jane' })
      assert.deepEqual(await ofUser(agent, 'jane'), [])
      assert.ok((await redact(agent, '/users/jane/scrub')) > 1)
      const [erasure, ...others] = await ofUser(agent, 'jane')
      assert.deepEqual(others, [])
      assert.ok(erasure && isSigned(erasure))
      const { receipt } = erasure
      assert.equal(receipt.type, 'parley.erasure.v1')
      assert.equal(receipt.agent_id, agent.agentId)
      assert.equal(receipt.mode, 'scrub')
      assert.equal(receipt.by.kind, 'token')
      assert.ok(receipt.began_at <= receipt.finished_at)
      assert.equal(receipt.erased.rows.messages, 6)
      assert.equal(receipt.erased.index, 6)
      assert.ok((receipt.erased.values.REDACTED ?? 0) >= 6)
      assert.equal(receipt.engine.name, service.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL')
      assert.ok(receipt.engine.guarantees.length > 0)
    })

    it('GET /users/{id}/erasures 200: only who knows the key of the subject can tell whose they are', async () => {
      const agent = await service.addAgent()
      await agent.prompt(TEXT, { user: 'jane.doe@example.com' })
      await redact(agent, '/users/jane.doe@example.com/anonymize')
      const [erasure] = await ofUser(agent, 'api:jane.doe@example.com')
      assert.ok(erasure)
      const { receipt, subject_key } = erasure
      assert.deepEqual(receipt.subject, {
        kind: 'user',
        commitment: commitmentTo('api:jane.doe@example.com', subject_key),
      })
      assert.doesNotMatch(JSON.stringify(receipt), /jane|example|7946/)
      const { db } = service.app.app.foundation.database
      const rows = await db.selectFrom('erasures').selectAll().execute()
      assert.doesNotMatch(JSON.stringify(rows), /jane|example\.com|7946/)
    })

    it('GET /users/{id}/erasures 200: in pages, newest first, also of people who are gone', async () => {
      const agent = await service.addAgent()
      await agent.prompt(TEXT, { user: 'jane' })
      await redact(agent, '/users/jane/anonymize')
      await redact(agent, '/users/jane/scrub')
      await redact(agent, '/users/jane/scrub')
      const modes = (await ofUser(agent, 'jane')).map(({ receipt }) => receipt.mode)
      assert.deepEqual(modes, ['scrub', 'scrub', 'anonymize'])
      const first = (await agent.get('/users/jane/erasures?per_page=1')).body
      assert.deepEqual([first.total, first.data.length], [3, 1])
      const second = (await agent.get(`/users/jane/erasures?per_page=1&cursor=${first.next_cursor}`)).body
      assert.notEqual(second.data[0].receipt.id, first.data[0].receipt.id)
      const { db } = service.app.app.foundation.database
      await db
        .updateTable('completions')
        .set({ user_id: null })
        .where('agent_id', '=', agent.agentId)
        .execute()
      await db
        .updateTable('conversations')
        .set({ user_id: null })
        .where('agent_id', '=', agent.agentId)
        .execute()
      await db.deleteFrom('users').where('agent_id', '=', agent.agentId).execute()
      assert.equal((await ofUser(agent, 'jane')).length, 3)
    })

    it('GET /users/{id}/erasures: the list reads one index', async () => {
      const agent = await service.addAgent()
      await agent.prompt(TEXT, { user: 'jane' })
      await redact(agent, '/users/jane/scrub')
      const { db } = service.app.app.foundation.database
      const queries = await queriesOfRequests(db, () => ofUser(agent, 'jane'))
      const read = queries.filter(({ sql }) => sql.includes('from "erasures"'))
      assert.ok(read.length > 0)
      for (const query of read) {
        const plan = await planOf(db, service.engine, query)
        assert.match(plan.join('\n'), /\berasures_subject\b/)
        assert.deepEqual(growingParts(plan, query), [])
      }
    })

    it('GET /users/{id}/erasures 403, 404, 409; 404 for another agent', async () => {
      const agent = await service.addAgent()
      await agent.prompt(TEXT, { user: 'jane' })
      await redact(agent, '/users/jane/scrub')
      await needsManage(agent, '/users/jane/erasures')
      assertError(await agent.get('/users/nobody/erasures'), 404, 'user_not_found')
      const stranger = await service.addAgent()
      assertError(await stranger.get('/users/jane/erasures'), 404, 'user_not_found')
    })

    it('GET /chat/completions/{id}/erasure 200: of a call for it, by types of values', async () => {
      const agent = await service.addAgent()
      const { id, number } = await agent.prompt(TEXT, { user: 'jane' })
      await redact(agent, `/chat/completions/${id}/anonymize`)
      const signed = await ofCompletion(agent, id)
      assert.ok(isSigned(signed))
      const { receipt } = signed
      assert.deepEqual(receipt.subject, { kind: 'completion', id })
      // The model repeats what it is asked.
      assert.deepEqual(receipt.erased.values, { EMAIL_ADDRESS: 2, PHONE_NUMBER: 2 })
      assert.deepEqual(await ofCompletion(agent, number), signed)
      assert.deepEqual(await ofUser(agent, 'jane'), [])
      await redact(agent, `/chat/completions/${id}/scrub`)
      assert.equal((await ofCompletion(agent, id)).receipt.mode, 'scrub')
    })

    it('GET /chat/completions/{id}/erasure 200: of a call for its user, and of the retention', async () => {
      const agent = await service.addAgent()
      const mine = await agent.prompt(TEXT, { user: 'jane' })
      const other = await agent.prompt(TEXT, { user: 'joe' })
      await redact(agent, '/users/jane/scrub')
      assert.equal((await ofCompletion(agent, mine.id)).receipt.subject.kind, 'user')
      await agent.patch('/agent', { retention: { days: 1, mode: 'anonymize' } })
      await applyRetentionAt(service.app, Date.now() + 2 * DAY_MS)
      const { receipt } = await ofCompletion(agent, other.id)
      assert.deepEqual(receipt.subject, { kind: 'retention' })
      assert.deepEqual(receipt.by, { kind: 'system', id: null })
      assert.equal((await ofCompletion(agent, mine.id)).receipt.subject.kind, 'user')
    })

    it('GET /chat/completions/{id}/erasure 200: of one that an earlier version redacted, after a call', async () => {
      const agent = await service.addAgent()
      const { id } = await agent.prompt(TEXT)
      await redact(agent, `/chat/completions/${id}/scrub`)
      const { db } = service.app.app.foundation.database
      await db.updateTable('completions').set({ erasure_id: null }).where('id', '=', id).execute()
      assertError(await agent.get(`/chat/completions/${id}/erasure`), 404, 'erasure_not_found')
      await redact(agent, `/chat/completions/${id}/scrub`)
      assert.deepEqual((await ofCompletion(agent, id)).receipt.erased.rows, {})
    })

    it('GET /chat/completions/{id}/erasure 403, 404', async () => {
      const agent = await service.addAgent()
      const { id } = await agent.prompt(TEXT)
      await needsManage(agent, `/chat/completions/${id}/erasure`)
      assertError(await agent.get(`/chat/completions/${id}/erasure`), 404, 'erasure_not_found')
      assertError(await agent.get('/chat/completions/0/erasure'), 404, 'completion_not_found')
    })

    it('names the older backups', async () => {
      const agent = await service.addAgent()
      const { db } = service.app.app.foundation.database
      const at = '2026-01-02T03:04:05.678Z'
      await noteBackup(db, at)
      await noteBackup(db, '2999-01-01T00:00:00.000Z')
      const { id } = await agent.prompt(TEXT)
      await redact(agent, `/chat/completions/${id}/scrub`)
      assert.deepEqual((await ofCompletion(agent, id)).receipt.backups, { count: 1, times: [at] })
      await forgetBackup(db, at)
      await forgetBackup(db, '2999-01-01T00:00:00.000Z')
    })

    it('an erasure whose process died before the receipt gets it with the next call', async () => {
      const agent = await service.addAgent()
      const { id } = await agent.prompt(TEXT)
      const erasures = await openErasures(service.app.app.foundation)
      const { db } = service.app.app.foundation.database
      const erasure = {
        teamId: agent.teamId,
        agentId: agent.agentId,
        subject: { kind: 'completion', id } as const,
        mode: 'scrub' as const,
      }
      const left = erasedOf({ rows: { messages: 40, ratings: 0 } })
      await db.transaction().execute((db) => erasures.add(db, erasure, left, bySystem.actor))
      await redact(agent, `/chat/completions/${id}/scrub`)
      const { receipt } = await ofCompletion(agent, id)
      assert.equal(receipt.erased.rows.messages, 42)
      assert.ok(!('ratings' in receipt.erased.rows))
    })

    it('calls at the same time share one receipt that counts each row once', async () => {
      const agent = await service.addAgent()
      for (let count = 0; count < 4; count++) await agent.prompt(TEXT, { user: 'jane' })
      await Promise.all([1, 2, 3].map(() => redact(agent, '/users/jane/scrub')))
      const receipts = (await ofUser(agent, 'jane')).map(({ receipt }) => receipt)
      const rows = receipts.reduce((sum, { erased }) => sum + (erased.rows.messages ?? 0), 0)
      assert.equal(rows, 8)
    })

    it('GET /agents/{id}/erasures 200: all of an agent, and of its deletion; 403; 404 for another team', async () => {
      const owner = await service.addAgent()
      const agent = await service.addAgent({ teamId: owner.teamId })
      await agent.prompt(TEXT, { user: 'jane' })
      await redact(agent, '/users/jane/scrub')
      await agent.post('/pause')
      assert.equal((await owner.call('DELETE', `/agents/${agent.agentId}`)).status, 202)
      const path = `/agents/${agent.agentId}/erasures`
      const kinds = async () =>
        ((await owner.get(path)).body.data as SignedReceipt[]).map(({ receipt }) => receipt.subject.kind)
      await until(async () => (await kinds()).length === 2)
      assert.deepEqual(await kinds(), ['agent', 'user'])
      const [deletion] = (await owner.get(path)).body.data as SignedReceipt[]
      assert.ok(deletion && isSigned(deletion))
      assert.equal(deletion.receipt.mode, 'delete')
      assert.equal(deletion.receipt.by.kind, 'token')
      assert.ok((deletion.receipt.erased.rows.messages ?? 0) >= 2)
      const stranger = await service.addAgent()
      assertError(await stranger.get(path), 404, 'agent_not_found')
      assert.deepEqual((await stranger.get(`/agents/${stranger.agentId}/erasures`)).body.data, [])
      const reader = await signInNew(service.app, { teamId: owner.teamId, right: 'manage' })
      assertError(await reader.call('GET', path), 403, 'insufficient_right')
    })

    it('GET /.well-known/parley-erasure-key 200: the same key from every process', async () => {
      const response = await fetch(`${service.app.url}/.well-known/parley-erasure-key`)
      assert.equal(response.status, 200)
      const pem = await response.text()
      const { publicKey } = await openErasures(service.app.app.foundation)
      assert.equal(publicKey.export({ format: 'pem', type: 'spki' }), pem)
      const agent = await service.addAgent()
      const { id } = await agent.prompt(TEXT)
      await redact(agent, `/chat/completions/${id}/scrub`)
      const { receipt, signature } = await ofCompletion(agent, id)
      const signed = Buffer.from(canonicalJson(receipt))
      assert.ok(verify(null, signed, createPublicKey(pem), Buffer.from(signature, 'base64')))
    })

    it('the audit counts the values that a call has replaced, by type', async () => {
      const agent = await service.addAgent()
      for (let count = 0; count < 3; count++) await agent.prompt(TEXT, { user: 'jane' })
      await agent.post('/users/jane/anonymize')
      const acts = async () => (await agent.get('/audit?action=user.anonymized')).body.data
      const [act, ...others] = await acts()
      assert.deepEqual(others, [])
      assert.deepEqual(act.details, { replaced: { EMAIL_ADDRESS: 4, PHONE_NUMBER: 4 } })
    })
  },
  { PARLEY_REDACTION_BATCH: '4' },
)
