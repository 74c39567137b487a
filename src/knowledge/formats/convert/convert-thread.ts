import { serveTasks } from '../../../lib/pacing/threads.ts'
import { convertTasks } from './convert-tasks.ts'

serveTasks(convertTasks)
