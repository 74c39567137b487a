import { createContext } from 'react'
import type { TimelineLine } from '../../api/types.ts'

/** The lines of the thread around a component, among whose files the viewer goes. */
export const ThreadLines = createContext<readonly TimelineLine[]>([])
