import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { QueryKey } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../api/session.ts'
import { Confirm } from './Confirm.tsx'
import { useAction } from './use-action.ts'

interface DeleteProps {
  /** The path below the agent's API. */
  path: string
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
  const mayManage = useRight('manage')
  const [isAsked, asking] = useDisclosure(false)
  const removing = useAction({ run: () => api.delete(path), refresh, done, onDone })
  if (!mayManage) return null
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {t('common.delete')}
      </Button>
      {isAsked ? (
        <Confirm
          title={title}
          text={text}
          action={t('common.delete')}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate()}
          onClose={asking.close}
        />
      ) : null}
    </>
  )
}
