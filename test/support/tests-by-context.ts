import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { createRequire } from 'node:module'

// Loaded before each file of tests. Node's runner notes each promise and socket to know its test, which takes a tenth
// of the processor time of the API's tests. Here the running test stands in the asynchronous context instead.

type Hooks = typeof import('node:async_hooks')
type Run = (this: AsyncResource, call: (...given: unknown[]) => unknown, ...rest: unknown[]) => unknown

const hooks = createRequire(import.meta.url)('node:async_hooks') as Hooks
const { createHook, executionAsyncId } = hooks
const running = new AsyncLocalStorage<AsyncResource>()

hooks.executionAsyncId = () => running.getStore()?.asyncId() ?? executionAsyncId()
// The first hook is the runner's. It notes tests by the ids of their resources.
hooks.createHook = ({ init }) => {
  Object.assign(hooks, { createHook, executionAsyncId })
  const prototype = AsyncResource.prototype as { runInAsyncScope: Run }
  const { runInAsyncScope } = prototype
  prototype.runInAsyncScope = function (call, ...rest) {
    if (!isTest(this)) return runInAsyncScope.call(this, call, ...rest)
    init?.(this.asyncId(), 'Test', 0, this)
    const test = this
    const within: typeof call = function (this: unknown, ...given) {
      return running.run(test, () => call.apply(this, given))
    }
    return runInAsyncScope.call(this, within, ...rest)
  }
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}

function isTest(resource: AsyncResource): boolean {
  return 'nesting' in resource && 'reporter' in resource
}
