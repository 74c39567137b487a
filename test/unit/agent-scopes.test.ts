import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

/** The places that reach the rows of all agents, each with its reason. Think twice before you add one. */
const doors = [
  'app/housekeeping.ts: housekeeping looks after the rows of all agents',
  'app/metrics/serve-metrics.ts: metrics count the rows of all agents',
  'app/routes.ts: the routes of a team serve all of its agents',
  'channels/backlog.ts: one query counts the waiting events of all teams',
  'channels/find-channel.ts: the agent is known once its channel is read',
  'commands/command-line.ts: whoever runs commands may reach every agent',
  'credentials/credentials.ts: the agent is known once its credential is read',
  'credentials/credentials.ts: the agent is known once its key is read',
  'live/end-unadmitted.ts: one query checks the streams of all agents',
  'live/notice-counts.ts: a person is told of the notices of all agents',
  'live/tell-unkept.ts: listeners of all agents are told',
  'mailboxes/accept.ts: one transaction stores what arrived for several agents',
  'notices/mails/mail-digests.ts: a digest tells a person of all agents of their team',
  'notifications/deliver.ts: one query ends the overdue deliveries of all agents',
  'operators/console-routes.ts: the pages of a person show all agents of their team',
  'storage/migrate.ts: migrations change the rows of all agents',
  'storage/postgres/postgres.ts: agents of one team share connections',
  'usage/meter.ts: one transaction stores what several agents used',
  'widgets/protocol/protocol-scope.ts: the agent is known once its widget is read',
  'work/look-loop.ts: one query looks for the work of all agents',
  'work/run-queue.ts: one query looks for work of all agents whose processes died',
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
