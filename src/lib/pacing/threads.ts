import { parentPort, Worker } from 'node:worker_threads'
import { type Team, turnsByTeam } from './turns-by-team.ts'

/** Functions that a thread runs by name. Arguments and results are copied between threads. */
// biome-ignore lint/suspicious/noExplicitAny: parameters of any function are meant.
type ThreadTasks = Record<string, (...args: any[]) => unknown>

/** Threads for work that would block the event loop for long. */
export interface Threads<Tasks extends ThreadTasks> {
  /** Runs a task when it is the team's turn. @throws the task's error, TaskTooSlow, or Error if its thread ended */
  run<Name extends keyof Tasks & string>(
    team: Team,
    name: Name,
    ...args: Parameters<Tasks[Name]>
  ): Promise<ReturnType<Tasks[Name]>>
  /**
   * Runs a task that yields its result in pieces. Makes each piece when it is asked for. The thread serves only this
   * task until the iteration ends. @throws as `run` does
   */
  each<Name extends keyof Tasks & string>(
    team: Team,
    name: Name,
    ...args: Parameters<Tasks[Name]>
  ): AsyncGenerator<PieceOf<ReturnType<Tasks[Name]>>>
  /** Ends the threads. Tasks that are running or waiting fail. */
  close(): Promise<void>
}

type PieceOf<Pieces> = Pieces extends Iterable<infer Piece> ? Piece : never

export interface ThreadLimits {
  /** The most threads that run at the same time. */
  most: number
  /** The most of them that work for one team. */
  ofTeam: number
  /** The longest time for a task, or for one piece of it. */
  milliseconds?: number
  /** The most memory for a thread; beyond it the task fails with the code `ERR_WORKER_OUT_OF_MEMORY`. */
  megabytes?: number
  /**
   * The most that the memory of the whole process may grow during a task; beyond it the task fails with TaskTooLarge.
   * Unlike `megabytes` this covers buffers, which are outside a thread's heap.
   */
  grownMegabytes?: number
}

/** The error of a task that took longer than its threads' limit. */
export class TaskTooSlow extends Error {}

/** The error of a task during which the process grew by more than its threads' limit. */
export class TaskTooLarge extends Error {}

type Request = { name: string; args: unknown[]; inPieces: boolean } | 'next'
type Outcome = { result: unknown; done: boolean } | { error: Error }
/** A message that Node sends from a thread of `node --watch`, with the names of files that it loads. */
type Loaded = { 'watch:import': string[] } | { 'watch:require': string[] }

interface Thread {
  /** Asks for the result of a task, or for its next piece. */
  ask(request: Request): Promise<{ result: unknown; done: boolean }>
  /** True while it has a task. */
  isTaken: boolean
  worker: Worker
  idle: NodeJS.Timeout | undefined
}

/** The time after which an idle thread ends, because it holds tens of megabytes. */
const IDLE_MS = 60_000
const WATCH_EVERY_MS = 25

/**
 * Returns threads that start when there is work and end when idle.
 * @param module calls `serveTasks`; named without its extension, which differs between the sources and the package
 */
export function openThreads<Tasks extends ThreadTasks>(module: URL, limits: ThreadLimits): Threads<Tasks> {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const turns = turnsByTeam(limits.most, limits.ofTeam)
  const threads = new Set<Thread>()
  const closed = new Error('the threads have ended')
  let isClosed = false

  async function take(team: Team): Promise<Thread & Disposable> {
    const place = await turns.take(team)
    if (isClosed) throw closed
    const thread = threads.values().find(({ isTaken }) => !isTaken) ?? start()
    clearTimeout(thread.idle)
    thread.isTaken = true
    thread.worker.ref()
    return {
      ...thread,
      [Symbol.dispose]() {
        release(thread)
        place[Symbol.dispose]()
      },
    }
  }

  function release(thread: Thread): void {
    thread.isTaken = false
    if (!threads.has(thread)) return
    // An idle thread must not keep the process alive.
    thread.worker.unref()
    thread.idle = setTimeout(() => {
      threads.delete(thread)
      void thread.worker.terminate()
    }, IDLE_MS).unref()
  }

  function start(): Thread {
    const resourceLimits = limits.megabytes === undefined ? {} : { maxOldGenerationSizeMb: limits.megabytes }
    const worker = new Worker(new URL(module.href + extension), { resourceLimits })
    let reason = new Error('a thread ended before its work was done')
    let hasEnded = false
    let asked: PromiseWithResolvers<{ result: unknown; done: boolean }> | null = null
    let late: NodeJS.Timeout | undefined
    let watching: NodeJS.Timeout | undefined
    const thread: Thread = {
      worker,
      isTaken: false,
      idle: undefined,
      async ask(request) {
        if (hasEnded) throw reason
        worker.postMessage(request)
        asked = Promise.withResolvers()
        if (limits.milliseconds !== undefined)
          late = setTimeout(giveUp, limits.milliseconds, new TaskTooSlow('a task took too long'))
        if (limits.grownMegabytes !== undefined) watch(limits.grownMegabytes)
        return asked.promise
      },
    }
    function giveUp(error: Error): void {
      reason = error
      void worker.terminate()
    }
    function watch(megabytes: number): void {
      const most = process.memoryUsage.rss() + megabytes * 1024 * 1024
      watching = setInterval(() => {
        if (process.memoryUsage.rss() > most) giveUp(new TaskTooLarge('a task took too much memory'))
      }, WATCH_EVERY_MS)
    }
    worker.on('message', (outcome: Outcome | Loaded) => {
      if ('watch:import' in outcome || 'watch:require' in outcome) return
      clearTimeout(late)
      clearInterval(watching)
      if ('error' in outcome) asked?.reject(outcome.error)
      else asked?.resolve(outcome)
      asked = null
    })
    worker.on('error', (error: Error) => {
      reason = error
    })
    worker.on('exit', () => {
      clearTimeout(thread.idle)
      clearTimeout(late)
      clearInterval(watching)
      hasEnded = true
      threads.delete(thread)
      asked?.reject(reason)
    })
    threads.add(thread)
    return thread
  }

  return {
    async run(team, name, ...args) {
      using thread = await take(team)
      const { result } = await thread.ask({ name, args, inPieces: false })
      return result as ReturnType<Tasks[typeof name]>
    },
    async *each(team, name, ...args) {
      using thread = await take(team)
      for (let request: Request = { name, args, inPieces: true }; ; request = 'next') {
        const { result, done } = await thread.ask(request)
        if (done) return
        yield result as PieceOf<ReturnType<Tasks[typeof name]>>
      }
    },
    async close() {
      isClosed = true
      turns.end(closed)
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** Serves the calls of `run` and `each`. The module of a thread calls this once. */
export function serveTasks(tasks: ThreadTasks): void {
  // What libraries print would mix with the lines of the log, and reading it here would keep the process from ending.
  process.stdout.write = process.stderr.write = () => true
  let pieces: Iterator<unknown> | undefined
  parentPort?.on('message', (request: Request) => {
    try {
      const result = request === 'next' ? null : tasks[request.name]?.(...request.args)
      if (result instanceof Promise) result.then((result) => reply({ result, done: false }), fail)
      else if (request !== 'next' && !request.inPieces) reply({ result, done: false })
      else {
        if (request !== 'next') pieces = (result as Iterable<unknown>)[Symbol.iterator]()
        reply(nextOf(pieces))
      }
    } catch (error) {
      fail(error)
    }
  })
}

function reply(outcome: Outcome): void {
  parentPort?.postMessage(outcome)
}

function fail(error: unknown): void {
  reply({ error: error instanceof Error ? error : new Error(String(error)) })
}

function nextOf(pieces: Iterator<unknown> | undefined) {
  const { value: result, done = false } = pieces?.next() ?? { value: undefined, done: true }
  return { result, done }
}
