import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DAY_MS } from '../../../src/lib/clock.ts'
import { assertError, type TestAgent } from '../../support/app.ts'
import { addMailChannel, mail, type SentMail } from '../../support/mail-peer.ts'
import { onMail } from '../../support/on-mail.ts'
import { applyRetentionAt } from '../../support/retention.ts'
import { sendFile } from '../../support/upload.ts'
import { ADDRESSES, addWidget, SITE, type TestVisitor } from '../../support/widget-visitors.ts'

const MINUTE_MS = 60_000
const PUBLIC = 'https://parley.example'

let visitors = 0

/** The tables that might keep an address. */
const KEEPING = ['continuations', 'mailboxes', 'mailbox_items', 'messages', 'changes', 'events'] as const

interface Mailed {
  mailed?: { to: string | null; at: string }
}

onMail(
  'answers that nobody saw',
  (service, mails) => {
    const { newAddress, sentTo } = mails

    async function connected(wish: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) {
      const agent = await service.addAgent()
      const address = newAddress()
      const { account, id } = await addMailChannel(agent, mails.peer, address, settings)
      const widget = await addWidget(service.app, agent, { continue_by: id, ...wish })
      return { agent, address, account, channelId: id, widget }
    }

    /** Begins a conversation and leaves a new address in it. */
    async function left({ widget }: Awaited<ReturnType<typeof connected>>, more: object = {}) {
      const visitor = await widget.visit()
      const { first } = await visitor.say('Is my parcel there?')
      return leave(visitor, first.conversation_id as string, more)
    }

    /** Asks for a person without a word, and leaves a new address in that conversation. */
    async function leftWordless({ widget }: Awaited<ReturnType<typeof connected>>) {
      const visitor = await widget.visit()
      const asked = await visitor.post('/person')
      assert.equal(asked.status, 200, asked.text)
      return leave(visitor, asked.body.data.id)
    }

    /** Leaves an address, to which a first answer that stays unseen is mailed. */
    async function mailed(shop: Awaited<ReturnType<typeof connected>>) {
      const visit = await left(shop)
      await says(shop.agent, visit.conversationId, 'One')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(shop.address, 1)
      assert.ok(sent)
      await mails.settled(shop.channelId)
      return { ...visit, sent }
    }

    async function leave(visitor: TestVisitor, conversationId: string, more: object = {}) {
      const mine = `visitor-${++visitors}@example.org`
      const answer = await visitor.post('/mail', { address: mine, ...more })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.data.mail_to, mine)
      return { visitor, mine, conversationId }
    }

    const says = async (agent: TestAgent, conversationId: string, content: string, author = 'Eva Roth') => {
      const answer = await agent.post(`/conversations/${conversationId}/messages`, { content, author })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data.id as number
    }
    const rowsOf = async (agent: TestAgent, conversationId: string) =>
      (await agent.get(`/conversations/${conversationId}/messages?per_page=100`)).body.data
    const deliveriesOf = async (agent: TestAgent, conversationId: string) =>
      (await rowsOf(agent, conversationId)).map(({ delivery }: { delivery: string | null }) => delivery)
    /** Returns the addresses that a visitor has left. */
    const addressesOf = async (agent: TestAgent, { session }: TestVisitor) =>
      (await agent.get(`/users/widget:${session.visitor_id}`)).body.data.mail
    const lastId = async (visitor: TestVisitor) => (await visitor.get('/messages')).body.data.at(-1).id
    const linkIn = ({ mail }: SentMail) =>
      `${service.app.url}${String(mail.text?.match(/https:\/\/parley\.example(\S+)/)?.[1])}`
    const replyTo = (sent: SentMail, from: string, text: string, headers = {}) =>
      mail(from, sent.from, text, { References: sent.mail.messageId ?? '', ...headers })

    it('sends all that was not seen as one mail, in order, with who said it, and nothing of the visitor', async () => {
      const shop = await connected()
      const { agent, address } = shop
      const { mine, conversationId } = await left(shop, {
        page_url: `${SITE}/orders?token=swordfish#top`,
        language: 'de',
      })
      await says(agent, conversationId, 'It is on its way.')
      await says(agent, conversationId, 'It comes at noon.', 'Ben')
      mails.pass(4 * MINUTE_MS)
      await says(agent, conversationId, 'Until then.')
      mails.pass(MINUTE_MS)
      const [sent, ...more] = await sentTo(address, 1)
      assert.ok(sent)
      assert.deepEqual(more, [])
      assert.deepEqual(sent.to, [mine])
      assert.equal(sent.mail.subject, 'Ihr Chat mit Test agent')
      const text = sent.mail.text ?? ''
      assert.match(text, /Eva:\nIt is on its way\.\n\nBen:\nIt comes at noon\.\n\nEva:\nUntil then\.\n\n--\n/)
      assert.ok(text.includes(`${SITE}/orders\n`), text)
      assert.ok(!/swordfish|parcel|Roth/.test(text), text)
      const link = text.match(/https:\/\/parley\.example\S+/)?.[0] ?? ''
      assert.deepEqual(sent.mail.headers.get('list'), {
        unsubscribe: { url: link },
        'unsubscribe-post': { name: 'List-Unsubscribe=One-Click' },
      })
      await mails.settled(shop.channelId)
      assert.deepEqual(await deliveriesOf(agent, conversationId), [null, null, 'sent', 'sent', 'sent'])
      const mailed = (await rowsOf(agent, conversationId)).map(({ mailed }: Mailed) => mailed)
      assert.deepEqual(mailed.slice(0, 2), [undefined, undefined])
      assert.deepEqual(new Set(mailed.slice(2).map((one: Mailed['mailed']) => one?.to)), new Set([mine]))
      assert.equal(new Set(mailed.slice(2).map((one: Mailed['mailed']) => one?.at)).size, 1)
    })

    it('sends nothing that was seen, and shows as seen what was sent', async () => {
      const shop = await connected({ continue_after: 1 })
      const { agent, address } = shop
      const { visitor, conversationId } = await left(shop)
      await says(agent, conversationId, 'Seen.')
      assert.equal((await visitor.post('/seen', { message_id: await lastId(visitor) })).status, 200)
      await says(agent, conversationId, 'Unseen.')
      mails.pass(MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.doesNotMatch(sent?.mail.text ?? '', /\nSeen\./)
      await mails.settled(shop.channelId)
      await visitor.post('/seen', { message_id: await lastId(visitor), conversation_id: conversationId })
      assert.deepEqual((await deliveriesOf(agent, conversationId)).slice(-2), [null, 'read'])
    })

    it("sends the agent's answer too, when its visitor has left", async () => {
      const shop = await connected()
      const { address } = shop
      const { visitor } = await left(shop)
      service.model.next({ text: 'It was delivered yesterday.' })
      await visitor.say('And the other one?')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.match(sent?.mail.text ?? '', /Test agent:\nIt was delivered yesterday\./)
      assert.equal(sent?.mail.headers.get('auto-submitted'), 'auto-replied')
    })

    it('the reply goes on in the same conversation, as the same user, and is answered at once', async () => {
      const shop = await connected()
      const { agent, address, account } = shop
      const { visitor, mine, conversationId } = await left(shop)
      await says(agent, conversationId, 'It is on its way.')
      await agent.post(`/conversations/${conversationId}/resume`)
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.ok(sent)
      service.model.next({ text: 'At noon.' })
      account.put(replyTo(sent, mine.toUpperCase(), 'When?\r\n\r\n> It is on its way.'))
      const [, second] = await sentTo(address, 2)
      assert.ok(second)
      assert.match(second.mail.text ?? '', /Test agent:\nAt noon\./)
      assert.equal(second.mail.subject, 'Re: Your chat with Test agent')
      await mails.settled(shop.channelId)
      const rows = await rowsOf(agent, conversationId)
      assert.deepEqual(
        rows.slice(-2).map(({ role, content }: Record<string, string>) => `${role}: ${content}`),
        ['user: When?', 'assistant: At noon.'],
      )
      assert.equal((await visitor.get('/messages')).body.data.at(-1).content, 'At noon.')
      assert.equal((await agent.get('/inbox?view=all')).body.data.length, 1)
      assert.deepEqual(
        (await addressesOf(agent, visitor)).map((one: Record<string, string>) => [one.address, one.state]),
        [[mine, 'confirmed']],
      )
      // Back in the widget, the visitor is no longer written to at once.
      await visitor.post('/seen', { message_id: await lastId(visitor) })
      await says(agent, conversationId, 'Anything else?')
      mails.pass(4 * MINUTE_MS)
      await visitor.post('/seen', { message_id: await lastId(visitor) })
      mails.pass(MINUTE_MS)
      await mails.settled(shop.channelId)
      assert.equal((await sentTo(address, 2)).length, 2)
    })

    it('takes nobody else into the conversation, and no mail of a program confirms an address', async () => {
      const shop = await connected()
      const { agent, address, account } = shop
      const { visitor, mine, conversationId } = await left(shop)
      await says(agent, conversationId, 'The code is 42.')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.ok(sent)
      account.put(replyTo(sent, 'eve@example.net', 'What was it?'))
      account.put(replyTo(sent, mine, 'I am away.', { 'Auto-Submitted': 'auto-replied' }))
      await sentTo(address, 2)
      await mails.until(async () => (await rowsOf(agent, conversationId)).length === 4)
      await mails.settled(shop.channelId)
      assert.equal((await agent.get('/inbox?view=all')).body.data.length, 2)
      assert.equal((await sentTo(address, 2)).length, 2)
      assert.equal((await addressesOf(agent, visitor))[0].state, 'unconfirmed')
    })

    it('sends three mails to an address that has not answered, whatever is said', async () => {
      const shop = await connected()
      const { agent, address } = shop
      const { conversationId } = await left(shop)
      for (let number = 1; number <= 4; number++) {
        await says(agent, conversationId, `Number ${number}`)
        mails.pass(5 * MINUTE_MS)
        await sentTo(address, Math.min(number, 3))
        await mails.settled(shop.channelId)
      }
      assert.equal((await sentTo(address, 3)).length, 3)
    })

    it('three mails go to addresses that have not answered, also when others take their place; 409 then', async () => {
      const shop = await connected()
      const { agent, address } = shop
      const { visitor, mine, conversationId } = await left(shop)
      const other = `other-of-${mine}`
      for (const [number, next] of [other, mine, other].entries()) {
        await says(agent, conversationId, `Number ${number}`)
        mails.pass(5 * MINUTE_MS)
        await sentTo(address, number + 1)
        await mails.settled(shop.channelId)
        const answer = await visitor.post('/mail', { address: next })
        if (number < 2) assert.equal(answer.status, 200, answer.text)
        else assertError(answer, 409, 'address_refused')
      }
      assert.deepEqual(
        (await sentTo(address, 3)).map(({ to }) => to[0]),
        [mine, other, mine],
      )
      assert.equal((await visitor.get('/conversations')).body.data[0].mail_to, mine)
    })

    for (const [which, next, state] of [
      ['the same address', (mine: string) => mine, 'confirmed'],
      ['another address', (mine: string) => `new-${mine}`, 'unconfirmed'],
    ] as const)
      it(`goes to ${which} that is left after many mails to one that has answered`, async () => {
        const shop = await connected()
        const { agent, address, account } = shop
        const { visitor, mine, conversationId } = await left(shop)
        for (let number = 1; number <= 3; number++) {
          await says(agent, conversationId, `Unanswered ${number}`)
          mails.pass(5 * MINUTE_MS)
          await sentTo(address, number)
          await mails.settled(shop.channelId)
        }
        account.put(replyTo((await sentTo(address, 1))[0] as SentMail, mine, 'I am here'))
        await mails.until(async () => (await addressesOf(agent, visitor))[0].state === 'confirmed')
        for (let number = 4; number <= 7; number++) {
          await says(agent, conversationId, `Answered ${number}`)
          await sentTo(address, number)
          await mails.settled(shop.channelId)
        }
        const answer = await visitor.post('/mail', { address: next(mine) })
        assert.equal(answer.status, 200, answer.text)
        const [newest] = await addressesOf(agent, visitor)
        assert.deepEqual([newest.address, newest.state], [next(mine), state])
        await says(agent, conversationId, 'Unseen')
        mails.pass(5 * MINUTE_MS)
        const sent = await sentTo(address, 8)
        assert.deepEqual(sent.at(-1)?.to, [next(mine)])
      })

    it('409 for a replaced address that has begun a conversation of its own, which goes on', async () => {
      const shop = await connected()
      const { agent, address, account } = shop
      const { visitor, mine, conversationId, sent } = await mailed(shop)
      const other = `other-of-${mine}`
      assert.equal((await visitor.post('/mail', { address: other })).status, 200)
      account.put(replyTo(sent, mine, 'By mail after all'))
      await sentTo(address, 2)
      await mails.settled(shop.channelId)
      const begun = (await agent.get('/inbox?view=all')).body.data.find(
        ({ id }: { id: string }) => id !== conversationId,
      )
      assertError(await visitor.post('/mail', { address: mine }), 409, 'address_refused')
      assert.equal((await visitor.get('/conversations')).body.data[0].mail_to, other)
      await says(agent, begun.id, 'In the second conversation')
      const [, , answer] = await sentTo(address, 3)
      assert.deepEqual(answer?.to, [mine])
    })

    it('an address may be left in three conversations a day; 409 from then on, and 400 for no address', async () => {
      const shop = await connected()
      const leaves = async (address: string) => {
        const visitor = await shop.widget.visit()
        await visitor.say('Hello')
        return visitor.post('/mail', { address })
      }
      for (const mine of ['often+1@example.org', 'often@example.org', 'often+news@example.org'])
        assert.equal((await leaves(mine)).status, 200, mine)
      for (const mine of ['often+2@example.org', 'often@example.org'])
        assertError(await leaves(mine), 409, 'address_refused')
      for (const other of ['oftener@example.org', 'often+1@sub.example.org'])
        assert.equal((await leaves(other)).status, 200, other)
      const other = await connected()
      const { visitor } = await left(other)
      for (const wrong of ['anna', 'a@b@c', 'anna@example.org\nBcc: eve@example.net', other.address])
        assertError(await visitor.post('/mail', { address: wrong }), 400, 'invalid_request')
    })

    it('is stopped without signing in, by a page or one click, and not by opening the link', async () => {
      const shop = await connected()
      const { agent, address, account } = shop
      const { visitor, mine, conversationId } = await left(shop)
      await says(agent, conversationId, 'One')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.ok(sent)
      const link = linkIn(sent)
      const page = await fetch(link)
      assert.equal(page.status, 200)
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /default-src 'none'.*form-action 'self'/,
      )
      assert.match(await page.text(), /<form method="post"><button>Stop these mails/)
      assert.equal((await visitor.get('/conversations')).body.data[0].mail_to, mine)
      const forged = await fetch(
        link.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
        { method: 'POST' },
      )
      assert.equal(forged.status, 409)
      await says(agent, conversationId, 'Two')
      const stopped = await fetch(link, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
      assert.equal(stopped.status, 200)
      assert.match(await stopped.text(), /You get no more mail/)
      await says(agent, conversationId, 'Three')
      mails.pass(5 * MINUTE_MS)
      await mails.settled(shop.channelId)
      assert.equal((await sentTo(address, 1)).length, 1)
      assert.equal((await visitor.get('/conversations')).body.data[0].mail_to, null)
      // Nobody can have it written to again, but its owner.
      assertError(await visitor.post('/mail', { address: mine }), 409, 'address_refused')
      account.put(replyTo(sent, mine, 'One more question'))
      await mails.until(async () => (await visitor.get('/conversations')).body.data[0].mail_to === mine)
      await says(agent, conversationId, 'Yes?')
      await sentTo(address, 2)
    })

    it('is stopped for good by a mail to an address that its visitor has replaced since', async () => {
      const shop = await connected()
      const { visitor, mine, sent } = await mailed(shop)
      await visitor.post('/mail', { address: null })
      const link = linkIn(sent)
      assert.match(await (await fetch(link)).text(), /<form method="post">/)
      assert.equal((await fetch(link, { method: 'POST' })).status, 200)
      assert.doesNotMatch(await (await fetch(link)).text(), /<form/)
      assertError(await visitor.post('/mail', { address: mine }), 409, 'address_refused')
    })

    it('two addresses that are left at once: one of them counts', async () => {
      const shop = await connected()
      const { agent, address } = shop
      for (let round = 0; round < 4; round++) {
        const visitor = await shop.widget.visit()
        const { first } = await visitor.say('Is my parcel there?')
        const both = [++visitors, ++visitors].map((name) => `visitor-${name}@example.org`)
        const answers = await Promise.all(both.map((one) => visitor.post('/mail', { address: one })))
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200],
        )
        const { mail_to } = (await visitor.get('/conversations')).body.data[0]
        await says(agent, first.conversation_id as string, 'One')
        mails.pass(5 * MINUTE_MS)
        const sent = await sentTo(address, round + 1)
        assert.deepEqual(sent.at(-1)?.to, [mail_to])
        await mails.settled(shop.channelId)
        const { db } = service.app.app.foundation.database
        const bound = await db
          .selectFrom('mailboxes')
          .select('id')
          .where('conversation_id', '=', first.conversation_id as string)
          .execute()
        assert.equal(bound.length, 1)
      }
    })

    it('is stopped by a bounce, and by a server that refuses the address; people are told', async () => {
      const shop = await connected()
      const { agent, address, account } = shop
      const one = await left(shop)
      await says(agent, one.conversationId, 'Before')
      await says(agent, one.conversationId, 'One')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.ok(sent)
      account.put(reportOf(sent, one.mine))
      const states = async ({ visitor }: typeof one) =>
        (await addressesOf(agent, visitor)).map(({ state, stopped_by }: Record<string, string>) => [
          state,
          stopped_by,
        ])
      await mails.until(async () => (await states(one))[0][0] === 'stopped')
      assert.deepEqual(await states(one), [['stopped', 'bounced']])
      const other = await left(shop)
      mails.peer.failNext(550)
      await says(agent, other.conversationId, 'Two')
      mails.pass(5 * MINUTE_MS)
      await mails.until(async () => (await states(other))[0][0] === 'stopped')
      assert.deepEqual(await states(other), [['stopped', 'bounced']])
      const failed = await Promise.all(
        [one, other].map(({ conversationId }) => rowsOf(agent, conversationId)),
      )
      const shown = [...failed[0].slice(-2), ...failed[1].slice(-1)].map(
        ({ delivery, delivery_reason, mailed }: Mailed & Record<string, unknown>) => [
          delivery,
          delivery_reason,
          mailed?.to,
        ],
      )
      assert.deepEqual(shown, [
        ['failed', 'rejected', one.mine],
        ['failed', 'rejected', one.mine],
        ['failed', 'rejected', other.mine],
      ])
    })

    it('is tried again when the server cannot take it, and not when it may have gone out', async () => {
      const shop = await connected()
      const { agent, address } = shop
      const { conversationId } = await left(shop)
      mails.peer.failNext(451)
      await says(agent, conversationId, 'One')
      mails.pass(5 * MINUTE_MS)
      await mails.until(async () => {
        const { db } = service.app.app.foundation.database
        const items = db.selectFrom('mailbox_items').select('attempts')
        const tried = await items.where('channel_id', '=', shop.channelId).where('attempts', '>', 0).execute()
        return tried.length > 0
      })
      mails.pass(5 * MINUTE_MS)
      await sentTo(address, 1)
      await mails.settled(shop.channelId)
      mails.peer.failNext('hang up')
      await says(agent, conversationId, 'Two')
      mails.pass(5 * MINUTE_MS)
      await mails.settled(shop.channelId)
      assert.equal((await sentTo(address, 1)).length, 1)
      assert.deepEqual((await deliveriesOf(agent, conversationId)).slice(-2), ['sent', 'unknown'])
    })

    it('is not sent again when the process that sent it has died', async () => {
      const shop = await connected()
      const { agent, address } = shop
      const { conversationId } = await left(shop)
      const id = await says(agent, conversationId, 'One')
      const { db } = service.app.app.foundation.database
      await db.updateTable('mailbox_items').set({ state: 'sending' }).where('message_id', '=', id).execute()
      await says(agent, conversationId, 'Two')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      await mails.settled(shop.channelId)
      assert.doesNotMatch(sent?.mail.text ?? '', /One/)
      assert.deepEqual((await deliveriesOf(agent, conversationId)).slice(-2), ['unknown', 'sent'])
    })

    it('names the files of an answer, which stay in the chat', async () => {
      const shop = await connected()
      const { agent, address } = shop
      const { conversationId } = await left(shop)
      await sendFile(agent, conversationId, 'invoice.pdf', '%PDF-1.4 made up')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.match(sent?.mail.text ?? '', /Team:\nFiles in the chat: invoice\.pdf\n/)
      assert.deepEqual(sent?.mail.attachments, [])
    })

    it('is exported with its conversation', async () => {
      const shop = await connected()
      const { mine } = await left(shop)
      const { baseUrl, headers } = shop.agent
      const exported = await (await fetch(`${baseUrl}/export?format=jsonl`, { headers })).text()
      assert.match(exported, new RegExp(`"type":"conversation",.*"mail_address":"${mine}"`))
    })

    it('another address takes the place of the first one, and null of both', async () => {
      const shop = await connected()
      const { agent, address } = shop
      const { visitor, conversationId } = await left(shop)
      await says(agent, conversationId, 'One')
      await visitor.post('/mail', { address: 'other@example.org' })
      await says(agent, conversationId, 'Two')
      mails.pass(5 * MINUTE_MS)
      const [sent] = await sentTo(address, 1)
      assert.deepEqual(sent?.to, ['other@example.org'])
      await mails.settled(shop.channelId)
      assert.deepEqual(await deliveriesOf(agent, conversationId), [null, null, null, 'sent'])
      assert.equal((await visitor.post('/mail', { address: null })).body.data.mail_to, null)
      await says(agent, conversationId, 'Three')
      mails.pass(5 * MINUTE_MS)
      await mails.settled(shop.channelId)
      assert.equal((await sentTo(address, 1)).length, 1)
    })

    for (const [who, begin] of [
      ['visitor', left],
      ['visitor who wrote nothing', leftWordless],
    ] as const)
      it(`nothing of the address is left once the ${who} is erased, or after the retention`, async () => {
        const shop = await connected()
        const { agent, address } = shop
        const { visitor, mine, conversationId } = await begin(shop)
        await says(agent, conversationId, 'Zero')
        mails.pass(5 * MINUTE_MS)
        await sentTo(address, 1)
        await mails.settled(shop.channelId)
        await says(agent, conversationId, 'One')
        const user = `/users/widget:${visitor.session.visitor_id}`
        assert.equal((await agent.post(`${user}/scrub`)).body.data.remaining, 0)
        const [erasure] = (await agent.get(`${user}/erasures`)).body.data
        assert.equal(erasure.receipt.erased.rows.continuations, 1)
        const { db } = service.app.app.foundation.database
        for (const table of KEEPING) {
          const rows = await db.selectFrom(table).selectAll().execute()
          assert.ok(!JSON.stringify(rows).includes(mine), table)
        }
        mails.pass(5 * MINUTE_MS)
        await mails.settled(shop.channelId)
        assert.equal(mails.peer.sent.filter(({ from }) => from === address).length, 1)
        const later = await begin(shop)
        await agent.patch('/agent', { retention: { days: 30, mode: 'anonymize' } })
        await applyRetentionAt(service.app, service.clock() + 31 * DAY_MS)
        const rows = await db.selectFrom('continuations').select('address').execute()
        assert.ok(!rows.some(({ address }) => address === later.mine))
      })

    it('an address that another has replaced is shown and erased with the visitor, too', async () => {
      const shop = await connected()
      const { agent } = shop
      const { visitor, mine } = await left(shop)
      await visitor.post('/mail', { address: 'other@example.org' })
      const user = `/users/widget:${visitor.session.visitor_id}`
      const { mail } = (await agent.get(user)).body.data
      assert.deepEqual(
        mail.map(({ address, stopped_by }: Record<string, unknown>) => [address, stopped_by]).sort(),
        [
          [mine, 'withdrawn'],
          ['other@example.org', null],
        ].sort(),
      )
      assert.equal((await agent.post(`${user}/scrub`)).body.data.remaining, 0)
      const [erasure] = (await agent.get(`${user}/erasures`)).body.data
      assert.equal(erasure.receipt.erased.rows.continuations, 2)
      const { db } = service.app.app.foundation.database
      for (const table of KEEPING) {
        const rows = await db.selectFrom(table).selectAll().execute()
        assert.ok(!JSON.stringify(rows).includes(mine), table)
      }
    })

    it('a reply that is parked is dropped once the visitor is erased', async () => {
      const shop = await connected()
      const { agent, account } = shop
      const { visitor, mine, conversationId, sent } = await mailed(shop)
      account.put(replyTo(sent, mine, 'a parked secret'))
      await mails.until(async () =>
        (await rowsOf(agent, conversationId)).some(
          ({ content }: { content: string }) => content === 'a parked secret',
        ),
      )
      await mails.settled(shop.channelId)
      const { db } = service.app.app.foundation.database
      const payload = JSON.stringify({ text: 'a parked secret', user: { id: mine } })
      await db
        .updateTable('mailbox_items')
        .set({ state: 'parked', payload })
        .where('channel_id', '=', shop.channelId)
        .where('kind', '=', 'message')
        .execute()
      const user = `/users/widget:${visitor.session.visitor_id}`
      assert.equal((await agent.post(`${user}/scrub`)).body.data.remaining, 0)
      const items = await db
        .selectFrom('mailbox_items')
        .select(['state', 'payload'])
        .where('channel_id', '=', shop.channelId)
        .where('kind', '=', 'message')
        .execute()
      assert.deepEqual(items, [{ state: 'failed', payload: null }])
    })

    it('403 without a mailbox or one that is off; the session says whether an address may be left', async () => {
      const shop = await connected()
      const { agent, widget, channelId } = shop
      const visitor = await widget.visit()
      assertError(await visitor.post('/mail', { address: 'a@example.org' }), 404, 'conversation_not_found')
      await visitor.say('Hello')
      assert.equal(visitor.session.widget.mail, true)
      await agent.patch(`/channels/${channelId}`, { active: false })
      assertError(await visitor.post('/mail', { address: 'a@example.org' }), 403, 'mail_off')
      assert.equal((await widget.visit()).session.widget.mail, false)
      await agent.patch(`/channels/${channelId}`, { active: true })
      await agent.patch(`/widgets/${widget.id}`, { continue_by: null })
      assertError(await visitor.post('/mail', { address: 'a@example.org' }), 403, 'mail_off')
    })

    it("the mailbox is one of the agent's, and is not removed while a widget uses it", async () => {
      const { agent, widget, channelId } = await connected({ continue_after: 7 })
      const other = await connected()
      const { data } = (await agent.get(`/widgets/${widget.id}`)).body
      assert.deepEqual([data.continue_by, data.continue_after], [channelId, 7])
      for (const wrong of [other.channelId, 999_999])
        assertError(
          await agent.patch(`/widgets/${widget.id}`, { continue_by: wrong }),
          400,
          'invalid_request',
        )
      assertError(await agent.call('DELETE', `/channels/${channelId}`), 409, 'channel_in_use')
      await agent.patch(`/widgets/${widget.id}`, { continue_by: null })
      assert.equal((await agent.call('DELETE', `/channels/${channelId}`)).status, 204)
    })
  },
  { ...ADDRESSES, PARLEY_PUBLIC_URL: PUBLIC },
)

/** Writes the report of a mail server that a mail could not be delivered. */
function reportOf({ from, mail: { messageId } }: SentMail, recipient: string): string {
  const parts = [
    ['text/plain', 'It could not be delivered.'],
    [
      'message/delivery-status',
      `Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; ${recipient}\r\nAction: failed\r\nStatus: 5.1.1`,
    ],
    ['message/rfc822', `Message-ID: ${messageId}\r\nTo: ${recipient}\r\nSubject: x\r\n\r\nx`],
  ]
  const body = parts.map(([type, text]) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`).join('')
  return mail('postmaster@mx.example', from, `${body}--b--`, {
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    'Return-Path': '<>',
  })
}
