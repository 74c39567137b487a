import { serveTasks } from '../../src/lib/pacing/threads.ts'
import * as tasks from './tasks.ts'

serveTasks(tasks)
