import { createContext } from 'react'
import type { TimelineLine } from '../../api/types.ts'

/** The lines of the thread around a component, whose files the viewer shows. */
export const ThreadLines = createContext<readonly TimelineLine[]>([])
