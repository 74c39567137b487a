import { ActionIcon, FileButton, Tooltip } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PaperclipIcon } from '../../../ui/icons.tsx'

/** A button by which a person chooses files. */
export function ChooseFiles({ onChosen }: { onChosen: (files: readonly File[]) => void }) {
  const { t } = useTranslation()
  const clear = useRef<() => void>(null)
  return (
    <FileButton
      multiple
      resetRef={clear}
      onChange={(files) => {
        onChosen(files)
        // The same file can then be chosen again.
        clear.current?.()
      }}
    >
      {(props) => (
        <Tooltip label={t('inbox.files.choose')}>
          <ActionIcon {...props} variant="subtle" color="gray" size={32} aria-label={t('inbox.files.choose')}>
            <PaperclipIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  )
}
