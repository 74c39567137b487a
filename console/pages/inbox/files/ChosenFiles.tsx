import { ActionIcon, Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CloseIcon } from '../../../ui/icons.tsx'
import type { ChosenFile } from './use-files.ts'

interface ChosenFilesProps {
  list: readonly ChosenFile[]
  onRemove: (file: ChosenFile) => void
}

/** Lists the files of the answer that is being written, each with the state of its upload. */
export function ChosenFiles({ list, onRemove }: ChosenFilesProps) {
  const { t } = useTranslation()
  return (
    <ul className="chosen-files" aria-label={t('inbox.files.chosen')}>
      {list.map((chosen, index) => {
        const { file, stored, reason } = chosen
        const { name } = file
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice
          <li key={index} className="tag foreign" data-failed={reason === null ? undefined : ''}>
            {stored || reason !== null ? null : <Loader size={12} aria-label={t('inbox.files.busy')} />}
            <bdi className="chosen-name" title={name}>
              {name}
            </bdi>
            {reason === null ? null : (
              <Text span inherit role="alert">
                {reason}
              </Text>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={t('inbox.files.remove', { name })}
              onClick={() => onRemove(chosen)}
            >
              <CloseIcon size={14} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}
