import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { QueryKey } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../api/session.ts'
import { Confirm } from './Confirm.tsx'
import { useAction } from './use-action.ts'

interface DeleteProps {
  /** Where it is below the agent's API. */
  path: string
  title: string
  /** What goes with it. */
  text: string
  /** What has to be read again. */
  refresh: QueryKey[]
  /** What to say when it is gone. */
  done: string
  onDone: () => void
}

/** Deletes something of the agent after asking; nothing for people who may not. */
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
