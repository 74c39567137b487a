import type { Kysely } from 'kysely'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { installationValue, putInstallationValue, takeInstallationValue } from '../storage/installation.ts'
import type { Tables } from '../storage/tables.ts'

/** The demo of an installation. */
interface KeptDemo {
  agentId: number
  teamId: number
  /** False while the demo is being made, or if making it failed. */
  isComplete: boolean
  /** The ids of the shop's people. */
  people: readonly number[]
}

/** The name of the installation value that says which agent is the demo's. */
const DEMO = 'demo_agent'

/** Finds the demo. Null if there is none or its agent has been deleted. */
export async function findDemo(db: Kysely<Tables>): Promise<KeptDemo | null> {
  const value = await installationValue(db, DEMO)
  if (value === null) return null
  // A demo of an earlier version has no people.
  const {
    agentId,
    isComplete,
    people = [],
  } = JSON.parse(value) as Partial<KeptDemo> & Pick<KeptDemo, 'agentId' | 'isComplete'>
  const teamId = await teamOfAgent(db, agentId)
  return teamId === null ? null : { agentId, teamId, isComplete, people }
}

export async function keepDemo(
  db: Kysely<Tables>,
  { agentId, isComplete, people }: Omit<KeptDemo, 'teamId'>,
): Promise<void> {
  await putInstallationValue(db, DEMO, JSON.stringify({ agentId, isComplete, people }))
}

export async function forgetDemo(db: Kysely<Tables>): Promise<void> {
  await takeInstallationValue(db, DEMO)
}
