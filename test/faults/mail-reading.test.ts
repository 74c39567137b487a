import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { addMailChannel, fileHeaders, mail, mailOfParts, startMailPeer } from '../support/mail-peer.ts'
import { startModelServer } from '../support/model-server.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

const ME = 'help@shop.example'

for (const engine of engines) {
  const what = engine === 'sqlite' ? 'the next process' : 'the other replica'

  it(`${what} reads the account once the one that did is killed: nothing is lost or answered twice, on ${engine}`, async () => {
    await using model = await startModelServer()
    await using peer = await startMailPeer()
    const database = await databaseWithAgent(engine)
    const env = settingsOn(database, { PARLEY_MODEL_URL: model.url, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
    const first = await startService(env)
    const { account } = await addMailChannel(firstAgentOf(first)(first), peer, ME)
    const other = engine === 'postgres' ? await startService(env) : null
    const comes = (number: number) => account.put(mail(`anna-${number}@example.org`, ME, `Mail ${number}`))
    comes(1)
    await peer.untilSent(1)
    assert.equal(peer.imap.readers, 1, 'one process reads')

    // It is killed while it answers one of two mails that it has stored, and fetches the file of an earlier one.
    peer.imap.holdsParts = true
    const file = [fileHeaders('application/pdf', 'a.pdf'), '%PDF-1.7\n%%EOF'] as const
    account.put(mailOfParts('anna-0@example.org', ME, [[...file]]))
    await peer.untilSent(2)
    await peer.until(
      () => peer.imap.commands.some((one) => one.includes('BODY.PEEK[1]<')),
      'the file to be asked for',
    )
    const held = Promise.withResolvers<void>()
    model.next({ after: held.promise })
    comes(2)
    comes(3)
    await model.request(2)
    await first.end('SIGKILL')
    peer.imap.holdsParts = false
    held.resolve()
    comes(4)
    const next = other ?? (await startService(env))
    await peer.untilSent(5)
    comes(5)
    await peer.untilSent(6)
    assert.deepEqual(
      peer.sent.map(({ to }) => to.join()).sort(),
      [0, 1, 2, 3, 4, 5].map((number) => `anna-${number}@example.org`),
    )
    const agent = firstAgentOf(first)(next)
    await until(async () => {
      const { body } = await agent.get('/conversations?per_page=100')
      const all = await Promise.all(
        (body.data as { id: string }[]).map(({ id }) => agent.get(`/conversations/${id}/messages`)),
      )
      const files = all.flatMap((one) => one.body.data.flatMap(attachmentsOf))
      return files.length === 1 && files[0]?.state === 'stored'
    })
    await peer.until(() => peer.imap.readers === 1, 'one process to read again')
    await next.end('SIGTERM')
    await database.remove()
  })
}

function attachmentsOf({ attachments }: { attachments: { state: string }[] | null }): { state: string }[] {
  return attachments ?? []
}
