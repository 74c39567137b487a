import { serveTasks } from '../lib/pacing/threads.ts'
import { redactionTasks } from './redaction-tasks.ts'

serveTasks(redactionTasks)
