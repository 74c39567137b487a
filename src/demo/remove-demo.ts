import { deleteAgent } from '../agents/delete-agent.ts'
import { eraseAgents } from '../agents/erase-agents.ts'
import { agentRows } from '../app/agent-rows.ts'
import { openErasures } from '../app/open-erasures.ts'
import { byCommandLine } from '../audit/record.ts'
import { databasePlace } from '../files/database-place.ts'
import { removeFilesOf } from '../files/remove-files.ts'
import type { Foundation } from '../foundation.ts'
import { timestamp } from '../lib/clock.ts'
import { pauseAgent } from '../pause/pause-agent.ts'
import { forgetErasures } from '../receipts/store.ts'
import { findDemo, forgetDemo } from './kept-demo.ts'

/**
 * Deletes the demo's agent with all its data, even if it was made only in part.
 * @returns the agent's id; null if there is no demo
 */
export async function removeDemo(foundation: Foundation): Promise<number | null> {
  const { database, credentials, clock } = foundation
  const { db, engine } = database
  const demo = await findDemo(db)
  const erasures = await openErasures(foundation)
  if (demo) {
    const by = { ...byCommandLine, teamId: demo.teamId }
    await pauseAgent(db, demo.agentId, timestamp(clock()), by)
    await deleteAgent(db, demo.agentId, credentials.revokeKeysOf, erasures, by, clock())
  }
  // This also erases agents that an earlier call deleted but did not erase.
  const place = databasePlace(db)
  const removeFiles = (agentId: number) => removeFilesOf({ db, place }, agentId)
  const erasing = { db, engine, clock, rows: agentRows, erasures, removeFiles }
  await eraseAgents(erasing, new AbortController().signal)
  // Nobody needs a proof that what was made up is gone.
  if (demo) await forgetErasures(db, demo.agentId)
  await forgetDemo(db)
  return demo?.agentId ?? null
}
