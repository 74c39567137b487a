import { constants, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import { errorCode } from '../lib/error-code.ts'
import { ConfigError } from '../settings/setting.ts'
import { type Command, type CommandInput, type Line, UsageError } from './command.ts'
import { failureInWords } from './failure-in-words.ts'
import { printable } from './printable.ts'

/**
 * The commands by their first word. Each is loaded only when it is run, because most commands need few modules and
 * start much faster than the service.
 */
const loaders: Record<string, () => Promise<Record<string, Command>>> = {
  serve: () => import('./serve.ts'),
  agents: () => import('./agents.ts'),
  keys: () => import('./keys.ts'),
  tokens: () => import('./tokens.ts'),
  operators: () => import('./operators.ts'),
  knowledge: () => import('./knowledge.ts'),
  migrate: () => import('./migrate.ts'),
  upgrade: () => import('./upgrade.ts'),
  openapi: () => import('./openapi.ts'),
  config: () => import('./config.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  copy: () => import('./copy.ts'),
  'rotate-master-key': () => import('./rotate-master-key.ts'),
  'forget-secrets': () => import('./forget-secrets.ts'),
  webhooks: () => import('./webhooks.ts'),
  export: () => import('./export.ts'),
  compact: () => import('./compact.ts'),
  recount: () => import('./recount.ts'),
  redact: () => import('./redact.ts'),
  receipts: () => import('./receipts.ts'),
  doctor: () => import('./doctor.ts'),
  demo: () => import('./demo.ts'),
  test: () => import('./test.ts'),
}

/**
 * Loads a command with its modules; undefined when there is no such command.
 * @param words the words after `parley`
 */
export async function loadCommand(words: string[]): Promise<Command | undefined> {
  const [first = ''] = words
  const load = Object.hasOwn(loaders, first) ? loaders[first] : undefined
  const present = Object.values((await load?.()) ?? {})
  return present.find(({ name }) => name.split(' ').every((part, index) => words[index] === part))
}

/** Runs a command and returns its exit code: 0 done, 1 failed, 2 mistyped. Without a command it lists all commands. */
export async function runCommand(command: Command | undefined, words: string[]): Promise<number> {
  process.stdout.on('error', endWithReader)
  if (!command) return explainAll(words)
  try {
    const { values, positionals } = parseArgs({
      args: words.slice(command.name.split(' ').length),
      options: { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (values.help) return explain(command)
    const { positionals: wanted = 0 } = command
    if (wanted === 'some' ? positionals.length === 0 : positionals.length !== wanted)
      throw new UsageError(`usage: ${usageOf(command)}`)
    const options = values as CommandInput['options']
    if (command.yields) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    const print: CommandInput['print'] = (answer, lines) => {
      process.stdout.write(`${options.json ? printable(JSON.stringify(answer)) : toText(lines)}\n`)
    }
    const input = { config: readConfig(), positionals, options, print }
    return (await acrossAgents('whoever runs commands may reach every agent', () => command.run(input))) ?? 0
  } catch (error) {
    return reportFailure(command, error)
  }
}

/** Ends the command without an error when the reader of its output, such as `head`, has closed the pipe. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
}

function toText(lines: string | Line[]): string {
  return [lines]
    .flat()
    .map((line) => [line].flat().map(printable).join('\t'))
    .join('\n')
}

function reportFailure(command: Command, error: unknown): number {
  const code = errorCode(error)
  const isMistyped = code.startsWith('ERR_PARSE_ARGS')
  const [line = ''] = failureInWords(error).split('\n')
  // Only the first sentence of Node's message is kept: the usage helps more than the rest.
  const said = isMistyped ? `${line.split('. ')[0]}; usage: ${usageOf(command)}` : line
  process.stderr.write(`parley: ${printable(said)}\n`)
  return isMistyped || error instanceof UsageError || error instanceof ConfigError ? 2 : 1
}

function explain(command: Command): number {
  process.stdout.write(`${command.summary}\n\nUsage: ${usageOf(command)} [--json]\n`)
  return 0
}

async function explainAll(words: string[]): Promise<number> {
  const asked = words.length === 0 || words[0] === '--help' || words[0] === '-h' || words[0] === 'help'
  const loaded = await Promise.all(Object.values(loaders).map((load) => load()))
  const commands = loaded.flatMap((commands) => Object.values(commands))
  const width = Math.max(...commands.map((command) => usageOf(command).length))
  const lines = commands.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}`)
  const text = `Usage: parley COMMAND [--json] [--help]\n\n${lines.join('\n')}\n`
  if (asked) process.stdout.write(text)
  else process.stderr.write(`parley: no command '${words.slice(0, 2).join(' ')}'\n\n${text}`)
  return asked ? 0 : 2
}

function usageOf(command: Command): string {
  return ['parley', command.name, command.usage].filter(Boolean).join(' ')
}
