// Is the console usable at once, and does it stay smooth? In headless Chromium: the first view of the inbox with a cold
// cache and a processor four times as slow, scrolling a list of many conversations and a thread of 10,000 messages, and
// the memory after an hour's worth of live events. SIZE sets the number of conversations.
import type { CDPSession, Page } from 'playwright-core'
import { startApp } from '../test/support/app.ts'
import { launchBrowser } from '../test/support/chromium.ts'
import { median } from '../test/support/quantile.ts'
import { openSignedIn } from '../test/support/signed-in.ts'
import { fillConversations, fillMessages } from './support/fill-conversations.ts'
import { printTable } from './support/load.ts'

const SIZE = Number(process.env.SIZE ?? 100_000)
const MESSAGES = 10_000
const LOADS = 5
const SCROLL_MS = 5_000
/** The number of live events: one a second for an hour, as a busy team has them. EVENTS sets another number. */
const EVENTS = Number(process.env.EVENTS ?? 3_600)
/** The number of events sent at once, so that an hour's worth does not take an hour. */
const AT_ONCE = 20

const app = await startApp('sqlite')
const { db } = app.app.foundation.database
const { conversation_id } = await app.agent.prompt('Where is my parcel?', { user: 'long' })
await fillConversations(db, SIZE)
await fillMessages(db, conversation_id, MESSAGES)
const browser = await launchBrowser()
const rows: (string | number)[][] = []
const show = (row: (string | number)[]) => {
  rows.push(row)
  process.stderr.write(`${row.join('  ')}\n`)
}

const first = await openSignedIn(browser, app)
const session = await first.page.context().newCDPSession(first.page)
const loads: number[] = []
for (let load = 0; load < LOADS; load++) loads.push(await coldLoad(first.page, session, first.at('inbox')))
show(['inbox usable, cold cache, processor four times as slow, ms', median(loads), Math.max(...loads)])
await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })

await first.page.goto(first.at('inbox'))
await first.page.locator('.inbox-row').first().waitFor()
show([`frames a second, list of ${SIZE}`, ...(await framesWhileScrolling(first.page, '.inbox-scroll', 1))])
await first.page.goto(first.at(`inbox/${conversation_id}`))
await first.page.locator('[role="log"] .bubble').first().waitFor()
show([
  `frames a second, thread of ${MESSAGES}`,
  ...(await framesWhileScrolling(first.page, '[role="log"]', -1)),
])

await first.page.goto(first.at('inbox'))
await first.page.locator('.inbox-row').first().waitFor()
const before = await heapMegabytes(session)
for (let event = 0; event < EVENTS; event += AT_ONCE)
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => app.agent.prompt('And another one?', { user: `guest-${event}` })),
  )
await first.page.evaluate('new Promise((resolve) => setTimeout(resolve, 3000))')
show([`heap before and after ${EVENTS} prompts, MB`, before, await heapMegabytes(session)])

printTable([['', 'p50 / before', 'worst / after'], ...rows])
await browser.close()
await app.close()
process.exit()

/** Returns the time from opening the address to a usable list, in milliseconds. */
async function coldLoad(page: Page, session: CDPSession, address: string): Promise<number> {
  await page.goto('about:blank')
  await session.send('Network.clearBrowserCache')
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const begin = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator('.inbox-row').first().waitFor()
  return performance.now() - begin
}

/** Scrolls for a while like a wheel, and counts frames. @returns frames a second, and the longest frame in ms */
async function framesWhileScrolling(page: Page, selector: string, direction: 1 | -1): Promise<number[]> {
  const [frames = 0, longest = 0] = await page.evaluate<number[]>(`new Promise((resolve) => {
    const scrolled = document.querySelector(${JSON.stringify(selector)})
    const begin = performance.now()
    let last = begin, frames = 0, longest = 0
    const frame = (now) => {
      frames++
      longest = Math.max(longest, now - last)
      last = now
      scrolled.scrollTop += ${direction * 120}
      if (now - begin < ${SCROLL_MS}) requestAnimationFrame(frame)
      else resolve([frames / ((now - begin) / 1000), longest])
    }
    requestAnimationFrame(frame)
  })`)
  return [frames, longest]
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1_000_000
}
