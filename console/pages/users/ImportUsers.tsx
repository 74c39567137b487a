import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { UserImport } from '../../api/types.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { UploadIcon } from '../../ui/icons.tsx'
import { useRefusalText } from '../../ui/refusal-text.ts'
import { useAction } from '../../ui/use-action.ts'
import { ImportReport } from './ImportReport.tsx'

/** Imports people from a CSV file, after showing the outcome of each row. */
export function ImportUsers() {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<UploadIcon />} onClick={() => setIsOpen(true)}>
        {t('users.import')}
      </Button>
      {isOpen ? <ImportDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const textOf = useRefusalText()
  const [file, setFile] = useState<File | null>(null)
  const [report, setReport] = useState<UserImport | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const clearChoice = useRef<() => void>(null)

  async function send(chosen: File, isDryRun: boolean): Promise<UserImport> {
    const body = new FormData()
    body.append('file', chosen)
    const response = await api.open('POST', '/users/import', { query: { dry_run: isDryRun }, body })
    return ((await response.json()) as { data: UserImport }).data
  }
  const onRefused = (error: unknown) => {
    setFailure(textOf(error))
    return true
  }
  const check = useAction({ run: (chosen: File) => send(chosen, true), onDone: setReport, onRefused })
  const bring = useAction({
    run: (chosen: File) => send(chosen, false),
    refresh: [key('users'), key('user'), key('conversation'), key('inbox')],
    onDone: setReport,
    onRefused,
  })

  function choose(chosen: File | null) {
    // Emptied so that the same file can be chosen again after it was corrected.
    clearChoice.current?.()
    if (!chosen) return
    setFile(chosen)
    setReport(null)
    setFailure(null)
    check.mutate(chosen)
  }
  const isDone = report !== null && !report.is_dry_run
  const toStore = report?.is_dry_run ? report.counts.created + report.counts.changed : 0
  return (
    <Dialog onClose={onClose} size="lg" title={t('users.importTitle')}>
      <Stack>
        <Text>{t('users.importText')}</Text>
        <Group gap="xs">
          <FileButton accept=".csv,.tsv,.txt,text/csv" resetRef={clearChoice} onChange={choose}>
            {(props) => (
              <Button
                variant="default"
                leftSection={<UploadIcon />}
                loading={check.isPending}
                disabled={bring.isPending}
                data-autofocus
                {...props}
              >
                {t(file ? 'users.importOther' : 'users.importChoose')}
              </Button>
            )}
          </FileButton>
          {file ? <Text className="foreign">{file.name}</Text> : null}
        </Group>
        {failure === null ? null : (
          <Text role="alert" size="secondary" c="var(--parley-red)">
            {failure}
          </Text>
        )}
        {report ? <ImportReport report={report} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(isDone ? 'common.close' : 'common.cancel')}
          </Button>
          {isDone ? null : (
            <Button
              variant="filled"
              loading={bring.isPending}
              disabled={toStore === 0}
              onClick={() => {
                setFailure(null)
                if (file) bring.mutate(file)
              }}
            >
              {t('users.importNow', { count: toStore })}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
