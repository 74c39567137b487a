import { checkAllChannels } from '../channels/check-channel.ts'
import type { Config } from '../config.ts'
import { openFoundation } from '../foundation.ts'
import { createOutbound, parsePrivateTargets } from '../lib/outbound/outbound.ts'
import type { Command } from './command.ts'

interface Finding {
  check: string
  ok: boolean
  detail: string
}

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Check settings, database, clock, model and channels',
  async run({ config, print }) {
    const findings: Finding[] = [{ check: 'settings', ok: true, detail: 'all settings are valid' }]
    findings.push(await check('database', () => checkDatabase(config)))
    findings.push(await check('clock', async () => checkClock()))
    findings.push(await check('model', () => checkModel(config)))
    findings.push(await check('channels', () => checkChannels(config)))
    const ok = findings.every((finding) => finding.ok)
    print(
      { ok, findings },
      findings.map(({ check, ok, detail }) => `${ok ? 'ok    ' : 'FAILED'}  ${check}: ${detail}`),
    )
    return ok ? 0 : 1
  },
}

async function check(name: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check: name, ok: true, detail: await look() }
  } catch (error) {
    return { check: name, ok: false, detail: (error as Error).message }
  }
}

async function checkDatabase(config: Config): Promise<string> {
  await using foundation = await openFoundation(config)
  await foundation.database.ping()
  return foundation.database.engine.kind === 'sqlite'
    ? `SQLite in ${config.dataDir} answers, the schema is up to date`
    : 'PostgreSQL answers, the schema is up to date'
}

/** A clock far in the past breaks ids, signatures and expiry. */
function checkClock(): string {
  const now = new Date()
  if (now.getUTCFullYear() < 2026) throw new Error(`the clock says ${now.toISOString()}`)
  return now.toISOString()
}

async function checkModel({ model, privateTargets }: Config): Promise<string> {
  if (model.url === null) return 'none is set: the built-in knowledge answerer answers'
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(privateTargets) })
  try {
    const headers: Record<string, string> =
      model.apiKey === null ? {} : { authorization: `Bearer ${model.apiKey}` }
    const { status } = await outbound.request(`${model.url}/models`, {
      headers,
      trusted: true,
      timeoutMs: 10_000,
    })
    if (status === 401 || status === 403) throw new Error('the model server refuses PARLEY_MODEL_API_KEY')
    if (status >= 500) throw new Error(`the model server answers with status ${status}`)
    return `the model server answers (status ${status})`
  } finally {
    await outbound.close()
  }
}

/** Asks each platform whether the token of its active channels works. */
async function checkChannels(config: Config): Promise<string> {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  try {
    await using foundation = await openFoundation(config)
    const { box, database } = foundation
    const checked = await checkAllChannels({ db: database.db, box, outbound })
    const failed = checked.filter(({ failure }) => failure !== null)
    if (failed.length > 0)
      throw new Error(failed.map(({ id, kind, failure }) => `channel ${id} (${kind}): ${failure}`).join('; '))
    return checked.length === 0 ? 'there are none' : `the tokens of ${checked.length} work`
  } finally {
    await outbound.close()
  }
}
