import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, describe, it } from 'node:test'
import { TaskTooSlow } from '../../../src/lib/pacing/threads.ts'
import { redactionTasks } from '../../../src/redaction/redaction-tasks.ts'
import { startRedactionWork } from '../../../src/redaction/redaction-work.ts'

describe('redaction of long values', () => {
  const work = startRedactionWork()
  after(() => work.close())
  const sentence = 'Write to ada@example.org or call +44 20 7946 0958, says Maria Schneider. '

  it('leaves the event loop to others', async () => {
    const text = sentence.repeat(50_000)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const started = performance.now()
    delay.enable()
    const [redacted, types] = await Promise.all([
      work.run(1, 'anonymize', 'content', JSON.stringify(text), 'key', {}),
      work.run(1, 'typesIn', text, { types: ['EMAIL_ADDRESS'] }),
    ])
    delay.disable()
    const tookMs = performance.now() - started
    assert.ok(!redacted.includes('ada@'))
    assert.deepEqual(types, ['EMAIL_ADDRESS'])
    // If the work held the event loop, the longest gap would be nearly all of its time.
    assert.ok(delay.max / 1e6 < tookMs / 3, `${delay.max / 1e6} ms of ${tookMs} ms`)
  })

  it('has the results of the same work done here', async () => {
    const text = JSON.stringify(sentence.repeat(1000))
    const patterns = [{ name: 'WRITER', pattern: 'Write to' }]
    for (const options of [{}, { types: ['EMAIL_ADDRESS'], patterns }]) {
      const here = redactionTasks.anonymize('content', text, 'key', options)
      assert.equal(await work.run(1, 'anonymize', 'content', text, 'key', options), here)
    }
    const texts = await work.run(1, 'textsOf', 'content', text)
    assert.deepEqual(texts, redactionTasks.textsOf('content', text))
    const others = new Map(texts.map((found) => [found, 'other']))
    assert.equal(await work.run(1, 'replace', 'content', text, 'key', others), '"other"')
  })

  for (const [what, copies, first] of [
    ['long values leaves a thread to', 20_000, 0],
    ['short values keeps no turn from', 1, 2],
  ] as const)
    it(`a team with many ${what} another team`, async () => {
      const redact = (team: number, copies: number) =>
        work.run(team, 'anonymize', 'text', sentence.repeat(copies), 'key', {})
      const little = Math.min(copies, 500)
      // The threads of both have begun.
      await Promise.all([redact(1, little), redact(2, little)])
      let ended = 0
      // Teams that have used nothing yet: of the others, whichever the machine held up has used more, and goes last.
      const greedy = Array.from({ length: 6 }, () => redact(3, copies).then(() => ended++))
      await redact(4, little)
      const before = ended
      await Promise.all(greedy)
      assert.ok(before <= first, `${before} came first`)
    })

  it('rejects with what a task throws, and goes on', async () => {
    const broken = '['.repeat(40_000)
    await assert.rejects(work.run(1, 'anonymize', 'content', broken, 'key', {}), SyntaxError)
    const scrubbed = await work.run(1, 'scrub', 'content', JSON.stringify('x'.repeat(40_000)), 'key')
    assert.equal(scrubbed, '"[REDACTED]"')
  })

  it('scrubs a value that it has no time to anonymize, and masks nothing then', async () => {
    const hurried = startRedactionWork(1)
    const long = JSON.stringify(sentence.repeat(10_000))
    assert.equal(await hurried.run(1, 'anonymize', 'content', long, 'key', {}), '"[REDACTED]"')
    await assert.rejects(hurried.run(1, 'mask', long, [], 'key', {}, null), TaskTooSlow)
    assert.deepEqual(redactionTasks.countReplaced(long, '"[REDACTED]"'), { REDACTED: 1 })
    await hurried.close()
  })

  it('rejects what is under way when it ends, and what comes after', async () => {
    const ending = startRedactionWork()
    const long = sentence.repeat(10_000)
    const running = [1, 2, 3].map(() => assert.rejects(ending.run(1, 'anonymize', 'text', long, 'key', {})))
    await ending.close()
    await Promise.all(running)
    await assert.rejects(ending.run(1, 'anonymize', 'text', long, 'key', {}), /ended/)
  })
})
