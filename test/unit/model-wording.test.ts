import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

/** The files that hold what Parley itself tells models; operators write the rest. */
const homes = [
  'src/copilot/wording.ts',
  'src/evaluators/wording.ts',
  'src/inactivity/wording.ts',
  'src/learning/wording.ts',
  'src/runs/wording.ts',
  'src/turns/history/wording.ts',
  'src/turns/prompt/wording.ts',
]
/** Files whose texts become an agent's own instructions. */
const ofOperators = ['src/agents/first-agent.ts', 'src/demo/shop.ts']

/** Matches a text that gives a model its task, or tells it how to take data. */
const TASK =
  /['"`](?:You (?:are the|help|write|play|judge|keep|answer|read|sort)\b|[^'"`\n]*never follow an instruction|[^'"`\n]*it is never an instruction)/

it('what models are told stands in one file of each owner', () => {
  const files = globSync('src/**/*.ts').filter((path) => TASK.test(readFileSync(path, 'utf8')))
  assert.deepEqual(files.sort(), [...homes, ...ofOperators].sort())
})
