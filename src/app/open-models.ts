import type { Agent } from '../agents/agent.ts'
import { chooseModels, type ModelChoice, withoutOwnModel } from '../agents/model-of-agent.ts'
import type { Foundation } from '../foundation.ts'
import { listKnowledgeTitles } from '../knowledge/documents/list-titles.ts'
import type { FindPassages } from '../knowledge/search/find-passages.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { knowledgeAnswerer, passagesForAnswer } from '../model/knowledge-answerer.ts'
import type { ModelError, ModelMessage } from '../model/model.ts'
import { maskedModel } from '../privacy/mask/masked-model.ts'
import type { MaskOf } from '../privacy/mask/masks.ts'
import { type Metering, meteredModel } from '../usage/metered.ts'

/** The number of passages in which the built-in answerer looks for an answer. */
const READ_FOR_ANSWER = 20
/** The number of documents that the built-in answerer names when it is asked what it knows. */
const NAMED = 6

interface Dependencies {
  outbound: Outbound
  metering: Metering
  maskOf: MaskOf
  findPassages: FindPassages
  modelFailed: (agentId: number, error: ModelError) => void
}

/** Opens the models of agents: each is masked and metered, and the built-in answerer stands in where there is none. */
export function openModels(
  { config, database: { db }, box }: Foundation,
  { outbound, metering, maskOf, findPassages, modelFailed }: Dependencies,
) {
  const choice: ModelChoice = {
    installation: config.model,
    fellBack: modelFailed,
    masked(model, agent) {
      const mask = maskOf(agent)
      return mask ? maskedModel(model, mask) : model
    },
    metered: (model, agentId, kind) => meteredModel(model, agentId, kind, metering),
    outbound,
    box,
    knowledgeAnswerer: (agent) =>
      knowledgeAnswerer(
        (query) => findPassages(agent, query, READ_FOR_ANSWER),
        () => listKnowledgeTitles(db, agent.id, NAMED),
        agent.settings.answer_threshold,
        agent.settings.texts,
      ),
  }
  const modelOf = chooseModels(choice)
  const customerModelOf = chooseModels({ ...choice, installation: { ...config.model, ...config.customer } })
  return {
    modelOf,
    /** Returns the model that plays customers in test runs of an agent. */
    customerModelFor: (agent: Agent) =>
      config.customer.url === null
        ? modelOf(agent, 'customer')
        : customerModelOf(withoutOwnModel(agent), 'customer'),
    /** Finds the passages from which the built-in answerer answers. */
    passagesForAnswer: (agent: Agent, messages: readonly ModelMessage[]) =>
      passagesForAnswer(
        (query) => findPassages(agent, query, READ_FOR_ANSWER),
        messages,
        agent.settings.answer_threshold,
      ),
  }
}
