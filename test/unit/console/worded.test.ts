import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, it } from 'node:test'
import { unsentCodes } from '../../../src/channels/give-up.ts'
import { parkedCodes } from '../../../src/channels/parked-items.ts'
import { evaluatorFailures } from '../../../src/evaluators/evaluator.ts'
import { fileOutcome } from '../../../src/knowledge/documents/file-routes.ts'
import { pageOutcome } from '../../../src/knowledge/imports/schemas.ts'
import { reasonCodes } from '../../../src/knowledge/reasons.ts'
import { itemKinds } from '../../../src/mailboxes/item-kinds.ts'
import { modelFailures } from '../../../src/model/model.ts'
import { serverFailures } from '../../../src/model/server-failures.ts'
import { deliveryReasons } from '../../../src/platforms/platform.ts'
import { troubles } from '../../../src/rules/job.ts'
import { failureCodes } from '../../../src/runs/failure.ts'
import { runErrors } from '../../../src/runs/run-errors.ts'

const said: { what: string; texts: string; codes: readonly string[] }[] = [
  {
    what: 'kind of an item that was given up',
    texts: 'channels.parkedKinds',
    // An echo is done when it arrives.
    codes: itemKinds.filter((kind) => kind !== 'echo'),
  },
  { what: 'reason why it was given up', texts: 'channels.parkedErrors', codes: parkedCodes },
  { what: 'reason of a file, a page or a crawl', texts: 'knowledge.reasons', codes: reasonCodes },
  {
    what: 'outcome of a file or a page',
    texts: 'knowledge.states',
    codes: [...fileOutcome.shape.outcome.options, ...pageOutcome.options],
  },
  { what: 'failure of embeddings', texts: 'knowledge.meaning.failures', codes: serverFailures.codes },
  { what: 'failure of a test case', texts: 'tests.failures', codes: failureCodes },
  {
    what: 'cause of such a failure',
    texts: 'tests.causes',
    codes: [...modelFailures, ...evaluatorFailures],
  },
  {
    what: 'reason why a message was not sent',
    texts: 'inbox.reasonsNot',
    codes: [...deliveryReasons, ...unsentCodes],
  },
  {
    what: 'reason why a turn failed',
    texts: 'inbox.reasonsOfModel',
    codes: [...modelFailures, 'internal', 'abandoned'],
  },
  { what: 'failure of a rule', texts: 'inbox.reasonsOfRule', codes: troubles },
  { what: 'end of a test run', texts: 'tests.runErrors', codes: runErrors.codes },
]

describe('the console has words for what the service names by a code', () => {
  for (const file of globSync('console/texts/*.json'))
    for (const { what, texts, codes } of said)
      it(`${basename(file, '.json')}: each ${what}`, () => {
        let part = JSON.parse(readFileSync(file, 'utf8'))
        for (const name of texts.split('.')) part = part[name]
        const here = new Set(Object.keys(part).map((name) => name.replace(/_(one|other)$/, '')))
        assert.deepEqual(
          [...new Set(codes)].filter((code) => !here.has(code)),
          [],
        )
        // States are also those of a file that is still on its way.
        if (texts === 'knowledge.states') return
        assert.deepEqual(
          [...here].filter((code) => !codes.includes(code)),
          [],
        )
      })
})
