import type { Agent } from '../../agents/agent.ts'
import type { Findings } from '../../model/findings.ts'
import type { ModelMessage } from '../../model/model.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'

/** The dependencies of trying a prompt out. */
export interface TryDependencies
  extends Pick<
    TurnDependencies,
    | 'db'
    | 'clock'
    | 'files'
    | 'modelFor'
    | 'isSpent'
    | 'retrieve'
    | 'borderOf'
    | 'rewrite'
    | 'searchFurther'
    | 'rulesFor'
    | 'toolsOf'
    | 'modelFailed'
  > {
  /** Finds the passages from which the built-in answerer, which searches by itself, answers the last message. */
  search: (
    agent: Agent,
    messages: readonly ModelMessage[],
  ) => Promise<Pick<Findings, 'passages' | 'onlyWords'>>
}
