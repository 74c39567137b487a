import { Button, FileButton, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { type InputHTMLAttributes, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UploadIcon } from '../../ui/icons.tsx'
import { Mark, type MarkTone } from '../../ui/Mark.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { useDrop } from '../../ui/use-drop.ts'
import { filesOf, type NamedFile } from './dropped-files.ts'
import { type SentFile, useUpload } from './use-upload.ts'
import './Upload.css'

const tones: Record<SentFile['state'], MarkTone> = {
  waiting: 'grey',
  added: 'green',
  replaced: 'green',
  unchanged: 'grey',
  skipped: 'red',
  failed: 'red',
}
/** The attribute for choosing folders, which React's types lack. */
const folder = { webkitdirectory: '' } as InputHTMLAttributes<HTMLInputElement>
const kinds = '.md,.mdx,.markdown,.txt,.text,.html,.htm,.xhtml,.pdf,.docx,.csv,.tsv,.rst,.json,.jsonl,.ndjson'

/** Accepts files and folders, and shows the result of each. */
export function Upload() {
  const { t } = useTranslation()
  const upload = useUpload()
  const drop = useDrop(async (dropped) => upload.send(await filesOf(dropped)))
  const clearChoice = useRef<() => void>(null)
  const clearFolder = useRef<() => void>(null)

  function choose(files: File[]) {
    upload.send(files.map((file): NamedFile => ({ path: file.webkitRelativePath || file.name, file })))
    clearChoice.current?.()
    clearFolder.current?.()
  }
  return (
    <Section title={t('knowledge.upload')} lead={t('knowledge.uploadLead')}>
      <section aria-label={t('knowledge.dropHere')} className="drop" {...drop}>
        <Text c="dimmed">{t('knowledge.dropHere')}</Text>
        <Group gap="xs">
          <FileButton multiple accept={kinds} resetRef={clearChoice} onChange={choose}>
            {(props) => (
              <Button variant="default" leftSection={<UploadIcon />} {...props}>
                {t('knowledge.chooseFiles')}
              </Button>
            )}
          </FileButton>
          <FileButton multiple inputProps={folder} resetRef={clearFolder} onChange={choose}>
            {(props) => (
              <Button variant="default" {...props}>
                {t('knowledge.chooseFolder')}
              </Button>
            )}
          </FileButton>
        </Group>
      </section>
      {upload.files.length > 0 ? <Outcomes upload={upload} /> : null}
    </Section>
  )
}

const SHOWN = 100

function Outcomes({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const { t } = useTranslation()
  const { files, retry, clear } = upload
  const [shows, setShows] = useState<'all' | 'troubled'>('all')
  const ended = files.filter(({ state }) => state !== 'waiting').length
  const troubled = files.filter(({ state }) => state === 'skipped' || state === 'failed')
  const listed = shows === 'all' ? files : troubled
  return (
    <Stack gap="sm">
      <Stack gap={4}>
        <Text role="status" className="numbers">
          {t('knowledge.progress', { ended, count: files.length })}
          {troubled.length > 0 ? ` · ${t('knowledge.troubled', { count: troubled.length })}` : ''}
        </Text>
        {ended < files.length ? (
          <Progress value={(ended / files.length) * 100} aria-label={t('knowledge.progressLabel')} />
        ) : null}
      </Stack>
      <Group gap="xs" justify="space-between">
        <SegmentedControl
          aria-label={t('knowledge.filter')}
          value={shows}
          onChange={(value) => setShows(value as typeof shows)}
          data={(['all', 'troubled'] as const).map((value) => ({
            value,
            label: t(`knowledge.filters.${value}`),
          }))}
        />
        <Group gap="xs">
          {troubled.some(({ file }) => file) ? (
            <Button variant="default" onClick={() => retry(troubled)}>
              {t('knowledge.retryAll')}
            </Button>
          ) : null}
          <Button variant="default" onClick={clear} disabled={ended < files.length}>
            {t('knowledge.clear')}
          </Button>
        </Group>
      </Group>
      {listed.length === 0 ? (
        <Text c="dimmed">{t('knowledge.noneOfThese')}</Text>
      ) : (
        <Rows label={t('knowledge.files')}>
          {listed.slice(0, SHOWN).map((sent) => (
            <Row
              key={sent.path}
              title={sent.path}
              marks={<Mark tone={tones[sent.state]}>{t(`knowledge.states.${sent.state}`)}</Mark>}
              about={sent.reason}
              actions={
                sent.file && (sent.state === 'skipped' || sent.state === 'failed') ? (
                  <Button variant="default" onClick={() => retry([sent])}>
                    {t('failure.retry')}
                  </Button>
                ) : null
              }
            />
          ))}
        </Rows>
      )}
      {listed.length > SHOWN ? (
        <Text c="dimmed">{t('knowledge.moreFiles', { count: listed.length - SHOWN })}</Text>
      ) : null}
    </Stack>
  )
}
