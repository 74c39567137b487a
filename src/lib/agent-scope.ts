import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The agents whose rows the current work may reach: one by its id, all, or none. PostgreSQL holds every statement to it
 * (`storage/row-security.ts`), whatever the statement itself asks for.
 */
export type AgentScope = number | 'all' | 'none'

const scopes = new AsyncLocalStorage<{ agents: AgentScope; readonly isOpen: boolean }>()

/** Returns the agents that the current work may reach; none outside of every scope. */
export function agentScope(): AgentScope {
  return scopes.getStore()?.agents ?? 'none'
}

/** Runs work for one agent, and everything it starts. */
export function forAgent<T>(agentId: number, work: () => T): T {
  return scopes.run({ agents: agentId, isOpen: false }, work)
}

/**
 * Runs work that reaches the rows of every agent, and everything it starts. Keep it as small as the reason allows.
 * @param _reason why it cannot be for one agent; `test/unit/agent-scopes.test.ts` lists them all
 */
export function acrossAgents<T>(_reason: string, work: () => T): T {
  return scopes.run({ agents: 'all', isOpen: false }, work)
}

/** Has a script reach the rows of every agent from now on. */
export function reachAllAgents(): void {
  scopes.enterWith({ agents: 'all', isOpen: false })
}

/** Runs work that reaches the rows of no agent until something in it opens or binds a scope. */
export function forNoAgent<T>(work: () => T): T {
  return scopes.run({ agents: 'none', isOpen: false }, work)
}

/**
 * Opens the scope of a request, which reaches no agent until `bindScope` is called in it.
 * @returns a function that runs a step of the request in this scope
 */
export function openScope(): (step: () => void) => void {
  const scope = { agents: 'none' as const, isOpen: true }
  return (step) => scopes.run(scope, step)
}

/** Has the rest of the request reach the rows of an agent, to which it has just proved its right. */
export function bindScope(agentId: number): void {
  bind(agentId)
}

/** Has the rest of the request reach the rows of every agent. @param _reason as for `acrossAgents` */
export function bindAcrossAgents(_reason: string): void {
  bind('all')
}

function bind(agents: AgentScope): void {
  const scope = scopes.getStore()
  if (!scope?.isOpen) throw new Error('only the scope of a request can be bound')
  scope.agents = agents
}
