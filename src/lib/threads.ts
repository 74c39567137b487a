import { parentPort, Worker } from 'node:worker_threads'

/** Functions that a thread runs by name. Arguments and results are copied between threads. */
// biome-ignore lint/suspicious/noExplicitAny: parameters of any function are meant.
export type ThreadTasks = Record<string, (...args: any[]) => unknown>

/** Threads for work that would block the event loop for long. */
export interface Threads<Tasks extends ThreadTasks> {
  /** Runs a task when a thread is free. @throws what the task throws, or Error when its thread ended */
  run<Name extends keyof Tasks & string>(
    name: Name,
    ...args: Parameters<Tasks[Name]>
  ): Promise<ReturnType<Tasks[Name]>>
  /** Ends the threads. Tasks that are running or waiting fail. */
  close(): Promise<void>
}

interface Job {
  name: string
  args: unknown[]
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  /** Its current task; null: it is free. */
  job: Job | null
  timer: NodeJS.Timeout | undefined
}

type Outcome = { result: unknown } | { error: Error }

/** A thread that has been idle for this long ends, because it holds tens of megabytes. */
const IDLE_MS = 60_000

/**
 * Starts threads when there is work and ends those that are idle.
 * @param module calls `serveTasks`; named without its extension, which differs between the sources and the package
 * @param most how many threads may run at the same time
 */
export function openThreads<Tasks extends ThreadTasks>(module: URL, most: number): Threads<Tasks> {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const waiting: Job[] = []
  const threads = new Set<Thread>()
  let isClosed = false

  function next(): void {
    if (waiting.length === 0) return
    const thread = threads.values().find(({ job }) => !job) ?? (threads.size < most ? start() : undefined)
    if (!thread) return
    const job = waiting.shift() as Job
    clearTimeout(thread.timer)
    thread.job = job
    thread.worker.ref()
    thread.worker.postMessage({ name: job.name, args: job.args })
  }

  function start(): Thread {
    const worker = new Worker(new URL(module.href + extension))
    const thread: Thread = { worker, job: null, timer: undefined }
    let reason = new Error('a thread ended before its work was done')
    threads.add(thread)
    worker.on('message', (outcome: Outcome) => {
      if ('error' in outcome) thread.job?.reject(outcome.error)
      else thread.job?.resolve(outcome.result)
      thread.job = null
      // A process that has nothing else to do may end.
      worker.unref()
      thread.timer = setTimeout(() => void worker.terminate(), IDLE_MS).unref()
      next()
    })
    worker.on('error', (error: Error) => {
      reason = error
    })
    worker.on('exit', () => {
      clearTimeout(thread.timer)
      threads.delete(thread)
      thread.job?.reject(reason)
      next()
    })
    return thread
  }

  return {
    run: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('the threads have ended')
        waiting.push({ name, args, resolve: resolve as Job['resolve'], reject })
        next()
      }),
    async close() {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(new Error('the threads have ended'))
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** Serves the calls of `run`. The module of a thread calls this once. */
export function serveTasks(tasks: ThreadTasks): void {
  parentPort?.on('message', ({ name, args }: { name: string; args: unknown[] }) => {
    parentPort?.postMessage(outcomeOf(() => tasks[name]?.(...args)))
  })
}

function outcomeOf(work: () => unknown): Outcome {
  try {
    return { result: work() }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}
