import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

/** The places that reach the rows of all agents, each with its reason. Think twice before you add one. */
const doors = [
  'app/housekeeping.ts: the house of all agents is kept',
  'app/metrics/serve-metrics.ts: metrics are of the installation',
  'app/routes.ts: a team has several agents',
  'channels/backlog.ts: the events of all teams are counted',
  'channels/find-channel.ts: a channel tells the agent',
  'commands/command-line.ts: a command is of who runs the installation',
  'credentials/credentials.ts: a credential tells the agent',
  'credentials/credentials.ts: a key tells the agent',
  'live/end-unadmitted.ts: streams of all agents are checked together',
  'mailboxes/accept.ts: arrivals for several agents share a transaction',
  'notifications/deliver.ts: deliveries of all agents are swept',
  'operators/console-routes.ts: people belong to a team, which has several agents',
  'storage/migrate.ts: the schema is of all agents',
  'usage/meter.ts: counts of several agents share a transaction',
  'widgets/protocol/protocol-scope.ts: a widget tells the agent',
  'work/look-loop.ts: work of all agents is looked for',
  'work/run-queue.ts: suspects of all agents are looked for',
]

it('only these places reach the rows of all agents', () => {
  const found = globSync('src/**/*.ts')
    .filter((file) => file !== 'src/lib/agent-scope.ts')
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(?:acrossAgents|bindAcrossAgents)\((?:\s*'([^']*)')?/g)].map(
        ([, reason = 'no reason']) => `${file.slice('src/'.length)}: ${reason}`,
      ),
    )
  assert.deepEqual(found.toSorted(), doors.toSorted())
})
