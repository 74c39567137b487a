import type { Kysely } from 'kysely'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { installationValue, putInstallationValue, takeInstallationValue } from '../storage/installation.ts'
import type { Tables } from '../storage/tables.ts'

/** The demo of an installation. */
export interface KeptDemo {
  agentId: number
  teamId: number
  /** False while the demo is being made, or if making it failed. */
  isComplete: boolean
}

/** The name of the installation value that says which agent is the demo's. */
const DEMO = 'demo_agent'

/** Finds the demo. Null if there is none or its agent has been deleted. */
export async function findDemo(db: Kysely<Tables>): Promise<KeptDemo | null> {
  const value = await installationValue(db, DEMO)
  if (value === null) return null
  const { agentId, isComplete } = JSON.parse(value) as Pick<KeptDemo, 'agentId' | 'isComplete'>
  const teamId = await teamOfAgent(db, agentId)
  return teamId === null ? null : { agentId, teamId, isComplete }
}

export async function keepDemo(
  db: Kysely<Tables>,
  { agentId, isComplete }: Omit<KeptDemo, 'teamId'>,
): Promise<void> {
  await putInstallationValue(db, DEMO, JSON.stringify({ agentId, isComplete }))
}

export async function forgetDemo(db: Kysely<Tables>): Promise<void> {
  await takeInstallationValue(db, DEMO)
}
