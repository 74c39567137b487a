// How many mails a second come in, with and without a file, and how many are answered? The mail server is in the process
// of the bench.
import { setTimeout as wait } from 'node:timers/promises'
import { fileHeaders, type MailPart, mailOfParts, startMailPeer } from '../test/support/mail-peer.ts'
import { median } from '../test/support/quantile.ts'
import { printTable } from './support/load.ts'
import { startParley } from './support/servers.ts'

const MAILS = Number(process.env.MAILS ?? 300)
const ROUNDS = Number(process.env.ROUNDS ?? 4)
const ADDRESS = 'help@shop.example'
const TEXT: MailPart = [{ 'Content-Type': 'text/plain; charset=utf-8' }, 'Do you ship to Norway? '.repeat(40)]
const FILE: MailPart = [fileHeaders('application/pdf', 'a.pdf'), Buffer.alloc(100 * 1024, '%PDF-1.7 ')]
/** Mail of a program is stored, and not answered. */
const BULK = { Precedence: 'bulk' }

await using peer = await startMailPeer()
const parley = await startParley({ PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
const headers = { ...parley.headers, 'content-type': 'application/json' }
const body = JSON.stringify({ kind: 'email', settings: peer.settings(ADDRESS) })
const made = await fetch(`${parley.url}/api/v1/channels`, { method: 'POST', headers, body })
if (!made.ok) throw new Error(await made.text())
const account = peer.account(ADDRESS)
await peer.until(() => account.isRead, 'the account to be read')

let people = 0
const total = async () => {
  const answer = await fetch(`${parley.url}/api/v1/conversations?per_page=1`, { headers })
  return ((await answer.json()) as { total: number }).total
}
const fetched = () => peer.imap.commands.filter((command) => command.includes('BODY.PEEK[2]<')).length

const rows: string[][] = []
for (const [name, parts, marks, done] of [
  ['in', [TEXT], BULK, async () => (await total()) === people],
  ['in, with a file of 100 KiB', [TEXT, FILE], BULK, async () => fetched() === MAILS],
  ['in and answered', [TEXT], {}, async () => peer.sent.length === MAILS],
] as const) {
  const [perSecond, processor]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    peer.imap.commands.length = 0
    peer.sent.length = 0
    const all = Array.from({ length: MAILS }, () =>
      mailOfParts(`anna-${++people}@example.org`, ADDRESS, parts, marks),
    )
    const [began, cpu] = [performance.now(), parley.cpu()]
    for (const one of all) account.put(one)
    while (!(await done())) await wait(20)
    // The first round compiles.
    if (round === 0) continue
    perSecond.push((MAILS / (performance.now() - began)) * 1000)
    processor.push(((parley.cpu() - cpu) * 1000) / MAILS)
  }
  rows.push([name, median(perSecond).toFixed(0), median(processor).toFixed(1)])
}
printTable([['', 'mails a second', 'ms of processor time each'], ...rows])
await parley.stop()
