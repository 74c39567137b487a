import { serveTasks } from '../lib/threads.ts'
import { redactionTasks } from './redaction-tasks.ts'

serveTasks(redactionTasks)
