import type { QueryKey } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { agentCalls } from '../../src/app/console-calls.ts'
import { useAgent, useRight } from '../api/session.ts'
import type { PathOf } from '../api/typed-calls.ts'
import { AskingButton } from './AskingButton.tsx'

interface DeleteProps {
  /** The path below the agent's API. */
  path: PathOf<typeof agentCalls, 'DELETE'>
  title: string
  /** The description of what is deleted with it. */
  text: string
  /** The queries to read again. */
  refresh: QueryKey[]
  /** The message after the deletion. */
  done: string
  onDone: () => void
}

/** Deletes something of the agent after asking; shows nothing to people who may not delete it. */
export function Delete({ path, title, text, refresh, done, onDone }: DeleteProps) {
  const { t } = useTranslation()
  const { api } = useAgent()
  if (!useRight('manage')) return null
  return (
    <AskingButton
      label={t('common.delete')}
      title={title}
      text={text}
      run={() => api.delete(path)}
      refresh={refresh}
      done={done}
      onDone={onDone}
    />
  )
}
