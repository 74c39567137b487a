import { deleteAgent } from '../agents/delete-agent.ts'
import { eraseAgents } from '../agents/erase-agents.ts'
import { agentRows } from '../app/agent-rows.ts'
import { openErasures } from '../app/open-erasures.ts'
import { byCommandLine } from '../audit/record.ts'
import { openPlaces } from '../files/places/open-places.ts'
import { removeFilesOf } from '../files/remove-files.ts'
import type { Foundation } from '../foundation.ts'
import { timestamp } from '../lib/clock.ts'
import { createOutbound, parsePrivateTargets } from '../lib/outbound/outbound.ts'
import { pauseAgent } from '../pause/pause-agent.ts'
import { forgetErasures } from '../receipts/store.ts'
import { findDemo, forgetDemo } from './kept-demo.ts'
import { removePeople } from './people-and-groups.ts'

/**
 * Deletes the demo's agent with all its data, even if it was made only in part.
 * @returns the agent's id; null if there is no demo
 */
export async function removeDemo(foundation: Foundation): Promise<number | null> {
  const { config, database, credentials, clock } = foundation
  const { db, engine } = database
  const demo = await findDemo(db)
  const erasures = await openErasures(foundation)
  if (demo) {
    const by = { ...byCommandLine, teamId: demo.teamId }
    await pauseAgent(db, demo.agentId, timestamp(clock()), by)
    await deleteAgent(db, demo.agentId, credentials.revokeKeysOf, erasures, by, clock())
  }
  // This also erases agents that an earlier call deleted but did not erase.
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
  try {
    const places = openPlaces(db, config.files, outbound.of(null))
    const removeFiles: Parameters<typeof eraseAgents>[0]['removeFiles'] = (...of) =>
      removeFilesOf({ db, places }, ...of)
    const erasing = { db, engine, clock, rows: agentRows, erasures, removeFiles }
    await eraseAgents(erasing, new AbortController().signal)
  } finally {
    await outbound.close()
  }
  // Nobody needs a proof that what was made up is gone.
  if (demo) await forgetErasures(db, demo.agentId)
  if (demo) await removePeople(db, demo.people)
  await forgetDemo(db)
  return demo?.agentId ?? null
}
