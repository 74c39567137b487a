import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import { ModelError } from '../model/model.ts'
import { modelDue } from '../model/model-due.ts'
import type { QueueDependencies } from '../work/run-queue.ts'
import type { IsSpent } from './budget.ts'

/** The dependencies of background work that asks a model. */
export interface AsksModel extends QueueDependencies {
  isSpent: IsSpent
  /** Reports calls that failed. */
  modelFailed: (agentId: number, error: ModelError) => void
  /** Returns the model that does this work for an agent. */
  modelFor: (agent: Agent) => NamedModel
}

/** Makes the hooks of a policy that asks a model: a server that is away is waited for, and each failure is reported. */
export function asksModel({ modelFailed, clock }: Pick<AsksModel, 'modelFailed' | 'clock'>) {
  return {
    patience: (error: Error, attempts: number) => modelDue(error, attempts, clock()),
    async failed(_db: unknown, { agent_id }: { agent_id: number }, error: Error) {
      if (error instanceof ModelError) modelFailed(agent_id, error)
    },
  }
}
