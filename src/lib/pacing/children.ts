import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { TaskTooSlow } from './threads.ts'

/** Processes for work that may take more memory than this one should ever hold. */
interface Children<Question, Answer> {
  /** Asks an idle process, or a new one. @throws the error of its work, TaskTooSlow, or ChildGone */
  ask(question: Question): Promise<Answer>
  /** Ends the processes. Questions under way fail. */
  close(): Promise<void>
}

export interface ChildLimits {
  /** The longest time that an answer may take. */
  milliseconds: number
  /** The memory that a process may keep after an answer. One that holds more ends, which gives it back. */
  keptMegabytes: number
}

/** The error thrown when a process ended before it answered. */
export class ChildGone extends Error {
  readonly signal: NodeJS.Signals | null

  constructor(signal: NodeJS.Signals | null) {
    super('a process ended before its work was done')
    this.signal = signal
  }
}

type Reply<Answer> = ({ answer: Answer } | { error: Error }) & { bytes: number }

interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>
  isTaken: boolean
  end(error?: Error): Promise<void>
}

/** The time after which an idle process ends. */
const IDLE_MS = 10_000

/**
 * Returns processes that start when there is work. They see nothing of the environment, and end with this process.
 * @param module calls `answerParent`; named without its extension, which differs between the sources and the package
 */
export function openChildren<Question, Answer>(module: URL, limits: ChildLimits): Children<Question, Answer> {
  const children = new Set<Child<Question, Answer>>()
  const closed = new Error('the processes have ended')
  let isClosed = false
  const file = new URL(module.href + import.meta.url.slice(import.meta.url.lastIndexOf('.')))

  function start(): Child<Question, Answer> {
    const forked = fork(file, {
      serialization: 'advanced',
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let asked: PromiseWithResolvers<Answer> | null = null
    let reason: Error | null = null
    let timer: NodeJS.Timeout | undefined
    const gone = Promise.withResolvers<void>()

    function leave(error: Error): void {
      clearTimeout(timer)
      children.delete(child)
      asked?.reject(reason ?? error)
      asked = null
      gone.resolve()
    }
    function end(error?: Error): Promise<void> {
      reason = error ?? null
      children.delete(child)
      forked.kill('SIGKILL')
      return gone.promise
    }
    forked.on('error', leave)
    forked.on('exit', (_, signal) => leave(new ChildGone(signal)))
    forked.on('message', (outcome: Reply<Answer>) => {
      clearTimeout(timer)
      if ('error' in outcome) asked?.reject(outcome.error)
      else asked?.resolve(outcome.answer)
      asked = null
      holdOpen(forked, false)
      if (outcome.bytes > limits.keptMegabytes * 1024 * 1024) void end()
      else timer = setTimeout(() => void end(), IDLE_MS).unref()
    })
    const child: Child<Question, Answer> = {
      isTaken: false,
      end,
      ask(question) {
        clearTimeout(timer)
        holdOpen(forked, true)
        asked = Promise.withResolvers<Answer>()
        timer = setTimeout(() => void end(new TaskTooSlow('a task took too long')), limits.milliseconds)
        forked.send(question as object, (error) => error && leave(error))
        return asked.promise
      },
    }
    children.add(child)
    return child
  }

  return {
    async ask(question) {
      if (isClosed) throw closed
      const child = children.values().find(({ isTaken }) => !isTaken) ?? start()
      child.isTaken = true
      try {
        return await child.ask(question)
      } finally {
        child.isTaken = false
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...children].map((child) => child.end(closed)))
    },
  }
}

/** Sets whether a child keeps this process alive; otherwise it may end if it has nothing else to do. */
function holdOpen(forked: ChildProcess, isHeld: boolean): void {
  for (const held of [forked, forked.channel]) {
    if (isHeld) held?.ref()
    else held?.unref()
  }
}

/** Answers the questions of the parent process. The module of a child calls this once. */
export function answerParent<Question, Answer>(work: (question: Question) => Promise<Answer>): void {
  goFirst()
  process.on('disconnect', () => process.exit())
  process.on('message', async (question: Question) => {
    const outcome = await work(question).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    process.send?.({ ...outcome, bytes: process.memoryUsage.rss() })
  })
}

/** Makes a system that runs out of memory end this process rather than the service. */
function goFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has this file.
  }
}
