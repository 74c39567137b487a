import { AsyncResource } from 'node:async_hooks'
import { acrossAgents } from '../../src/lib/agent-scope.ts'

type Call = (...given: never[]) => unknown
type Run = (this: AsyncResource, call: Call, ...rest: unknown[]) => unknown

const prototype = AsyncResource.prototype as { runInAsyncScope: Run }
const { runInAsyncScope } = prototype

// Tests look at the rows of all agents, as commands do. What they start in the service has scopes of its own.
prototype.runInAsyncScope = function (call, ...rest) {
  if (!('nesting' in this && 'reporter' in this)) return runInAsyncScope.call(this, call, ...rest)
  const across: Call = function (this: unknown, ...given) {
    return acrossAgents('a test sees everything', () => call.apply(this, given))
  }
  return runInAsyncScope.call(this, across, ...rest)
}
