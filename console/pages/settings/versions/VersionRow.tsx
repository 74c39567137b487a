import { Box, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { AgentVersion } from '../../../api/types.ts'
import { AskingButton } from '../../../ui/AskingButton.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Row } from '../../../ui/Rows.tsx'
import { Time } from '../../../ui/Time.tsx'
import { Difference } from './Difference.tsx'
import { differingSettings } from './differing-settings.ts'
import { useSettingName } from './setting-names.ts'

interface VersionRowProps {
  version: AgentVersion
  newest: AgentVersion
  /** The version before; undefined if it has not been read, or there is none. */
  before: AgentVersion | undefined
  /** Reads more of the list; undefined if all of it has been read. */
  readOn: (() => void) | undefined
}

/** A version: who made it and when, its changes, and a button to restore it. */
export function VersionRow({ version, newest, before, readOn }: VersionRowProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const nameOf = useSettingName()
  const mayManage = useRight('manage')
  const [isOpen, difference] = useDisclosure(false)
  const id = useId()
  const { number, at, by, changes } = version
  const isNewest = number === newest.number
  const title = t('settings.versions.version', { number })
  const toggle = () => {
    if (!isOpen && before === undefined) readOn?.()
    difference.toggle()
  }
  return (
    <Row
      title={title}
      marks={isNewest ? <Mark tone="grey">{t('settings.versions.now')}</Mark> : null}
      about={
        <>
          <bdi>{by.name ?? t(`audit.kinds.${by.kind}`)}</bdi> · <Time at={at} />
          <br />
          {changes.length === 0 ? t('settings.versions.first') : changes.map(nameOf).join(', ')}
        </>
      }
      actions={
        <>
          {changes.length > 0 ? (
            <Button
              variant="default"
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              aria-label={`${t('settings.versions.show')}: ${title}`}
              onClick={toggle}
            >
              {t('settings.versions.show')}
            </Button>
          ) : null}
          {mayManage && !isNewest ? (
            <AskingButton
              label={t('settings.versions.restore')}
              of={title}
              title={t('settings.versions.restoreTitle', { number })}
              text={t('settings.versions.restoreText')}
              color="accent"
              run={() => api.post(`/agent/versions/${number}/restore`)}
              refresh={[key()]}
              done={t('settings.versions.restored', { number })}
            >
              <Back version={version} newest={newest} />
            </AskingButton>
          ) : null}
        </>
      }
    >
      {isOpen ? (
        <Box id={id} mt="sm">
          {before ? <Difference names={changes} before={before.settings} after={version.settings} /> : null}
          {!before && !readOn ? (
            <Text c="dimmed" size="secondary">
              {t('settings.versions.notKept')}
            </Text>
          ) : null}
        </Box>
      ) : null}
    </Row>
  )
}

/** The changes that a restore will make. */
function Back({ version, newest }: Pick<VersionRowProps, 'version' | 'newest'>) {
  const { t } = useTranslation()
  const names = differingSettings(newest.settings, version.settings)
  return (
    <Stack
      gap="sm"
      mah="50vh"
      style={{ overflowY: 'auto' }}
      tabIndex={0}
      role="group"
      aria-label={t('settings.versions.changes')}
    >
      {names.length === 0 ? (
        <Text c="dimmed">{t('settings.versions.same')}</Text>
      ) : (
        <Difference names={names} before={newest.settings} after={version.settings} />
      )}
    </Stack>
  )
}
