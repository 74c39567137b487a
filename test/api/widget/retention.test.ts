import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DAY_MS } from '../../../src/lib/clock.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { applyRetentionAt } from '../../support/retention.ts'
import { ADDRESSES, addWidget, SITE, type TestVisitor } from '../../support/widget-visitors.ts'

onBothEngines(
  "retention of visitors' conversations",
  (service) => {
    it('erases what visitors and verified users said, as it does for others, and nothing younger', async () => {
      const widget = await addWidget(service.app, await service.addAgent())
      const { agent } = widget
      await agent.patch('/agent', { retention: { days: 30, mode: 'scrub' } })
      const user = { id: 'ann', hash: widget.hash('ann') }
      const now = Date.now()

      async function talk(visitor: TestVisitor, word: string) {
        service.model.next({ text: `You said ${word}` })
        const { first } = await visitor.say(`my password is ${word}`, {
          fields: { page_url: `${SITE}/reset?token=${word}` },
        })
        await visitor.post(`/completions/${first.id}/flag`, { flagged: true, reason: word })
        await visitor.post(`/completions/${first.id}/feedback`, { feedback: word })
        await visitor.post(`/completions/${first.id}/clicks`, {
          kind: 'referral',
          target: `https://${word}.example/`,
        })
        await visitor.post('/rating', { score: 1, comment: word })
        return first
      }

      const session = now - 31 * DAY_MS
      service.clock = () => session
      const visitor = await widget.visit()
      const known = await widget.visit({ user })
      const old = [await talk(visitor, 'swordfish'), await talk(known, 'swordfish')]
      service.clock = () => now - 29 * DAY_MS
      const young = await widget.visit()
      const kept = await talk(young, 'herring')

      const pathsOf = ({ id, conversation_id }: typeof kept, userId: string) => [
        `/chat/completions/${id}`,
        `/conversations/${conversation_id}/rating`,
        `/conversations/${conversation_id}/messages`,
        `/conversations/${conversation_id}/timeline`,
        `/users/${userId}`,
      ]
      const users = [visitor.session.visitor_id, 'ann']
      const paths = [...old.flatMap((first, at) => pathsOf(first, users[at])), '/inbox?view=all', '/users']
      const holding = async (word: string, asked: string[]) => {
        const found: string[] = []
        for (const path of asked) {
          const answer = await agent.get(path)
          assert.equal(answer.status, 200, path)
          if (answer.text.includes(word)) found.push(path)
        }
        return found
      }
      assert.ok((await holding('swordfish', paths)).length >= 8)
      await applyRetentionAt(service.app, now)
      assert.deepEqual(await holding('swordfish', paths), [])
      for (const one of [visitor, known])
        assert.ok(!(await one.get('/messages')).text.includes('swordfish'), 'the visitor reads it no longer')
      const [of] = pathsOf(kept, young.session.visitor_id)
      assert.deepEqual(await holding('herring', [of ?? '']), [of])
      assert.ok((await young.get('/messages')).text.includes('herring'))
    })
  },
  ADDRESSES,
)
