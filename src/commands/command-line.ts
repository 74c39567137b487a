import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.ts'
import { agentsCreate, agentsList } from './agents.ts'
import { backup } from './backup.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { compact } from './compact.ts'
import { doctor } from './doctor.ts'
import { keysCreate, keysList, keysRevoke } from './keys.ts'
import { knowledgeAdd, knowledgeSearch } from './knowledge.ts'
import { migrate } from './migrate.ts'
import { openapi } from './openapi.ts'
import { redact } from './redact.ts'
import { rotateMasterKey } from './rotate-master-key.ts'
import { serve } from './serve.ts'
import { tokensCreate, tokensList, tokensRevoke } from './tokens.ts'
import { webhooksListen } from './webhooks.ts'

const commands: readonly Command[] = [
  serve,
  agentsCreate,
  agentsList,
  keysCreate,
  keysList,
  keysRevoke,
  tokensCreate,
  tokensList,
  tokensRevoke,
  knowledgeAdd,
  knowledgeSearch,
  migrate,
  openapi,
  backup,
  rotateMasterKey,
  webhooksListen,
  compact,
  redact,
  doctor,
]

/**
 * Runs one command and returns its exit code: 0 done, 1 failed, 2 typed wrong.
 * @param words what follows `parley`
 */
export async function runCommandLine(words: string[]): Promise<number> {
  const command = commands.find(({ name }) => name.split(' ').every((part, index) => words[index] === part))
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
    const print = (answer: unknown, lines: string | string[]) => {
      process.stdout.write(`${options.json ? JSON.stringify(answer) : [lines].flat().join('\n')}\n`)
    }
    return (await command.run({ config: readConfig(), positionals, options, print })) ?? 0
  } catch (error) {
    return reportFailure(error)
  }
}

function reportFailure(error: unknown): number {
  const { message, code = '' } = error as NodeJS.ErrnoException
  const typedWrong = error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS')
  process.stderr.write(`parley: ${message.split('\n')[0]}\n`)
  return typedWrong ? 2 : error instanceof ConfigError ? 2 : 1
}

function explain(command: Command): number {
  process.stdout.write(`${command.summary}\n\nUsage: ${usageOf(command)} [--json]\n`)
  return 0
}

function explainAll(words: string[]): number {
  const asked = words.length === 0 || words[0] === '--help' || words[0] === '-h' || words[0] === 'help'
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
