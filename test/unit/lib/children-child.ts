import { answerParent } from '../../../src/lib/pacing/children.ts'

answerParent(async (question: string): Promise<unknown> => {
  switch (question) {
    case 'who':
      return process.pid
    case 'environment':
      return Object.keys(process.env)
    case 'spin':
      for (;;);
    case 'die':
      return process.kill(process.pid, 'SIGKILL')
    case 'grow':
      hoard.push(Buffer.alloc(200 * 1024 * 1024, 1))
      return process.pid
    default:
      throw new Error(`no answer to ${question}`)
  }
})

const hoard: Buffer[] = []
