import { serveTasks } from '../../lib/pacing/threads.ts'
import { prepareTasks } from './prepare-tasks.ts'

serveTasks(prepareTasks)
