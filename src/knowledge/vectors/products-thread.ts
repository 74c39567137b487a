import { serveTasks } from '../../lib/pacing/threads.ts'
import { productsTasks } from './products-tasks.ts'

serveTasks(productsTasks)
