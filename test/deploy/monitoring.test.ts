import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startApp, type TestApp } from '../support/app.ts'
import { exampleIn } from '../support/guide.ts'

const RULES = resolve('deploy/prometheus/rules.yaml')
const DASHBOARD = 'deploy/grafana/parley.json'
const NO_PROMTOOL = 'there is no promtool here: install the Debian package prometheus to run this'
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** The cause of each alert: series, and their values from minute to minute. */
const causes: Record<string, Record<string, string>> = {
  ParleyDown: {
    'up{job="parley",instance="a"}': '0x400',
  },
  ParleyRequestsFail: {
    'parley_http_requests_total{status="502",instance="a"}': '0+6x400',
    'parley_http_requests_total{status="200",instance="a"}': '0+60x400',
  },
  ParleyDatabaseSlow: {
    'parley_database_answer_seconds{instance="a"}': '2x400',
  },
  ParleyConnectionsShort: {
    'parley_database_connections{state="waiting",instance="a"}': '3x400',
  },
  ParleyLogOfDatabaseGrows: {
    'parley_database_wal_bytes{instance="a"}': '3000000000x400',
  },
  ParleyLoopHeld: {
    'parley_nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.4x400',
  },
  ParleyModelsFail: {
    'parley_model_call_seconds_count{purpose="answer",outcome="timeout"}': '0+30x400',
    'parley_model_call_seconds_count{purpose="answer",outcome="ok"}': '0+60x400',
  },
  ParleyModelsSlow: {
    'parley_model_first_piece_seconds_bucket{purpose="answer",le="10"}': '0+1x400',
    'parley_model_first_piece_seconds_bucket{purpose="answer",le="30"}': '0+60x400',
    'parley_model_first_piece_seconds_bucket{purpose="answer",le="+Inf"}': '0+60x400',
  },
  ParleyBudgetSpent: {
    'parley_budget_left{agent_id="7",period="day"}': '0x400',
  },
  ParleyDeliveriesLate: {
    parley_deliveries_oldest_seconds: '400x400',
  },
  ParleyEndpointHeld: {
    parley_endpoints_held: '1x400',
  },
  ParleyDeliveriesLost: {
    'parley_deliveries_total{outcome="expired"}': '0+1x400',
  },
  ParleyChannelRefused: {
    parley_channels_refused: '1x400',
  },
  ParleySendsFail: {
    'parley_channel_sends_total{platform="messenger-one",outcome="refused",reason="rejected"}': '0+6x400',
    'parley_channel_sends_total{platform="messenger-one",outcome="sent",reason=""}': '0+6x400',
  },
  ParleyFilesFail: {
    'parley_file_seconds_count{operation="write",place="store",outcome="failed"}': '0+6x400',
    'parley_file_seconds_count{operation="write",place="store",outcome="ok"}': '0+60x400',
  },
  ParleyTranscriptionsFail: {
    'parley_transcription_seconds_count{outcome="timeout"}': '0+30x400',
    'parley_transcription_seconds_count{outcome="ok"}': '0+60x400',
  },
  ParleyEventsWait: {
    'parley_backlog{kind="events"}': '30000x400',
  },
  ParleyWorkParked: {
    'parley_work{kind="automations",state="parked"}': '1x400',
  },
  ParleyWorkLate: {
    'parley_work_oldest_seconds{kind="imports"}': '700x400',
  },
  ParleyHousekeepingFails: {
    'parley_housekeeping_failed{task="applying retention"}': '1x400',
  },
  ParleyLeasesLost: {
    'parley_lease_losses_total{work="channels"}': '0+2x400',
  },
  ParleyPeopleWait: {
    parley_waiting_oldest_seconds: '2000x400',
  },
  ParleyErasuresOpen: {
    parley_redaction_backlog: '1x400',
  },
  ParleySearchBehind: {
    parley_search_backlog: '200000x400',
  },
  ParleyMigrationsPending: {
    parley_migrations_pending: '1x400',
  },
}

/** Long enough for every `for` of the rules. */
const LATER = '390m'

describe('what watches the service', () => {
  let app: TestApp
  let rules: string
  before(async () => {
    rules = await readFile(RULES, 'utf8')
    app = await startApp('postgres', { PARLEY_METRICS_TOKEN: 'a-token' })
  })
  after(() => app.close())

  for (const file of [RULES, DASHBOARD]) {
    it(`every metric in ${file.replace(`${resolve('.')}/`, '')} is one that /metrics has`, async () => {
      const metrics = await (
        await fetch(`${app.url}/metrics`, { headers: { authorization: 'Bearer a-token' } })
      ).text()
      const kept = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
      const named = [...(await readFile(file, 'utf8')).matchAll(/\bparley_[a-z0-9_]+/g)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ''),
      )
      assert.ok(named.length > 10)
      assert.deepEqual(
        [...new Set(named)].filter((name) => !kept.has(name)),
        [],
      )
    })
  }

  it('every alert has its part of the runbook', async () => {
    const guide = await readFile('docs/operations.md', 'utf8')
    const anchors = new Set(
      [...guide.matchAll(/^#{2,4} (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
    const linked = [...rules.matchAll(/runbook: docs\/operations\.md#(\S+)/g)].map(
      ([, anchor = '']) => anchor,
    )
    assert.equal(linked.length, Object.keys(causes).length)
    assert.deepEqual(
      linked.filter((anchor) => !anchors.has(anchor)),
      [],
    )
  })

  it('Prometheus takes the configuration of the guide', {
    skip: !hasPromtool && NO_PROMTOOL,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-prometheus-'))
    await copyFile(RULES, join(folder, 'rules.yaml'))
    await writeFile(
      join(folder, 'prometheus.yaml'),
      exampleIn('docs/operations.md', 'yaml', 'scrape_configs'),
    )
    const { status, stderr } = spawnSync('promtool', ['check', 'config', join(folder, 'prometheus.yaml')], {
      encoding: 'utf8',
    })
    await rm(folder, { recursive: true })
    assert.equal(status, 0, stderr)
  })

  it('every alert fires when its cause is there, and none without', {
    skip: !hasPromtool && NO_PROMTOOL,
  }, async () => {
    const alerts = [...rules.matchAll(/- alert: (\S+)/g)].map(([, name = '']) => name)
    assert.deepEqual(alerts, Object.keys(causes))
    const group = (series: Record<string, string>, samples: object[]) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: LATER,
          exp_samples: samples,
        },
      ],
    })
    const all = Object.assign({}, ...Object.values(causes))
    const fired = alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }))
    const tests = [group({ 'up{job="parley"}': '1x400' }, []), group(all, fired)]
    const folder = await mkdtemp(join(tmpdir(), 'parley-rules-'))
    const file = join(folder, 'tests.yaml')
    // JSON is YAML as well.
    await writeFile(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    await rm(folder, { recursive: true })
    assert.equal(status, 0, `${stdout}${stderr}`)
  })
})
