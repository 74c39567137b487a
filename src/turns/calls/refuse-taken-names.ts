import { readAgent } from '../../agents/agent.ts'
import { invalidField } from '../../errors.ts'
import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import { nameOf } from '../../model/only-offered.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'

/**
 * Refuses a request that brings along a tool with the name of one of the agent's own: their calls would look alike.
 * @throws ApiError invalid_request
 */
export async function refuseTakenNames(
  { db, toolsOf }: Pick<TurnDependencies, 'db' | 'toolsOf'>,
  agentId: number,
  { tools, functions }: Record<string, unknown>,
): Promise<void> {
  if (!Array.isArray(tools) && !Array.isArray(functions)) return
  const agent = await readAgent(db, agentId)
  const own = new Set((await (await toolsOf(agent))?.list())?.map(({ name }) => name))
  if (agent.settings.handoff) own.add(REQUEST_PERSON)
  for (const [field, given] of Object.entries({ tools, functions })) {
    if (!Array.isArray(given)) continue
    const at = given.findIndex((tool) => own.has(nameOf(tool) ?? ''))
    if (at >= 0) throw invalidField(`${field}.${at}`, 'has the name of a tool of the agent.')
  }
}
