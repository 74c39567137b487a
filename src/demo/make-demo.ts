import type { Kysely } from 'kysely'
import pino from 'pino'
import { listAllAgents } from '../agents/agent.ts'
import { createAgent } from '../agents/create-agent.ts'
import { guideAgentId } from '../agents/first-agent.ts'
import { teamExists, teamOfAgent } from '../agents/team-of-agent.ts'
import { buildParts } from '../app/parts.ts'
import { byCommandLine, record, type TeamBy } from '../audit/record.ts'
import { makeFirstAgent } from '../credentials/issue-first-credentials.ts'
import type { Foundation } from '../foundation.ts'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { furnishDesk } from './furnish-desk.ts'
import { furnishShop } from './furnish-shop.ts'
import { findDemo, keepDemo } from './kept-demo.ts'
import { addPeople } from './people-and-groups.ts'
import { planMonth } from './plan-month.ts'
import { playMonth, type StoryTime } from './play-month.ts'
import { seededRandom } from './random.ts'
import { languages, NAME, settings } from './shop.ts'
import { tellWebhook } from './tell-webhook.ts'

/** The same seed makes the same month at every run. */
const SEED = 20_261

/** The error thrown when a demo cannot be made. Its message says what to do. */
export class DemoRefused extends Error {}

export interface MadeDemo {
  agentId: number
  teamId: number
  conversations: number
  documents: number
  languages: string[]
}

interface DemoWish {
  /** Null means the team of the first start. */
  team: number | null
  /** The number of days that the conversations span. */
  days: number
  /** Receives the share of the work that is done, 0 to 1, now and then. */
  onProgress?: (part: number) => void
}

/**
 * Makes an agent "Demo" with a month of conversations, oldest first. Nothing leaves the machine: the model is a script,
 * and the channels and the webhook are switched off.
 * @throws DemoRefused if a demo exists already, or if it is unclear in which team to make it
 */
export async function makeDemo(
  foundation: Foundation,
  { team, days, onProgress = () => {} }: DemoWish,
): Promise<MadeDemo> {
  const { db } = foundation.database
  const nowMs = foundation.clock()
  const time: StoryTime = { nowMs: nowMs - (days + 1) * DAY_MS }
  const teamId = await teamOfDemo(foundation, team)
  const by = { ...byCommandLine, teamId }
  const owner = await createOwner(db, by, time.nowMs, nowMs)

  const silent = pino({ level: 'silent' })
  // Nobody signs in through these parts, and the demo's texts belong in no log.
  const config = { ...foundation.config, oidc: null, logText: false }
  const clock = () => time.nowMs
  const parts = await buildParts({ ...foundation, config, clock }, silent, () => '')
  try {
    const shop = await furnishShop(parts, owner.agentId, by, nowMs)
    const people = await addPeople(foundation.database, owner.agentId, timestamp(time.nowMs), by)
    const random = seededRandom(SEED)
    const steps = planMonth({ languages, days, nowMs }, random)
    const onStep = (done: number) => onProgress(done / steps.length)
    const conversations = await playMonth({ parts, owner, time, random, shop, people }, steps, onStep)
    await furnishDesk({ ...parts, db }, owner.agentId, people, nowMs, by)
    await tellWebhook(db, { ...owner, ...shop }, nowMs, random)
    await db.transaction().execute(async (db) => {
      const { people = [] } = (await findDemo(db)) ?? {}
      await keepDemo(db, { agentId: owner.agentId, isComplete: true, people })
    })
    return {
      ...owner,
      conversations,
      documents: languages.flatMap(({ documents }) => documents).length,
      languages: languages.map(({ language }) => language),
    }
  } finally {
    await parts.redactionWork.close()
    await parts.outbound.close()
  }
}

/** Returns the id of the team that gets the demo. @throws DemoRefused */
async function teamOfDemo(foundation: Foundation, wished: number | null): Promise<number> {
  const { db } = foundation.database
  if (wished !== null) {
    if (await teamExists(db, wished)) return wished
    throw new DemoRefused(`there is no team ${wished}`)
  }
  // On an empty database the first start would do the same.
  await makeFirstAgent(foundation)
  const guide = await guideAgentId(db)
  const ofGuide = guide === null ? null : await teamOfAgent(db, guide)
  if (ofGuide !== null) return ofGuide
  const [first, ...others] = new Set((await listAllAgents(db)).map(({ teamId }) => teamId))
  if (first !== undefined && others.length === 0) return first
  throw new DemoRefused(
    'say with --team in which team to make the demo; "parley agents list" shows the teams',
  )
}

async function createOwner(db: Kysely<Tables>, by: TeamBy, bornMs: number, nowMs: number) {
  return db.transaction().execute(async (db) => {
    const present = await findDemo(db)
    if (present?.isComplete) throw new DemoRefused(`agent ${present.agentId} is the demo already`)
    if (present)
      throw new DemoRefused(
        `agent ${present.agentId} is a demo that is not complete: wait if another "parley demo" is making it, otherwise take it away with "parley demo --remove" and try again`,
      )
    const { agentId, teamId } = await createAgent(db, {
      name: NAME,
      teamId: by.teamId,
      settings,
      nowMs: bornMs,
    })
    const act = { ...by, agentId, at: timestamp(nowMs), target: `agent ${agentId}` }
    await record(db, { ...act, action: 'agent.created' })
    await keepDemo(db, { agentId, isComplete: false, people: [] })
    return { agentId, teamId }
  })
}
