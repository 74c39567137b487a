import { Button, Code, Group, Stack, Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRight } from '../../api/session.ts'
import type { McpTool, TriedTool } from '../../api/types.ts'
import { Failure } from '../../ui/Failure.tsx'
import { Waiting } from '../../ui/Loaded.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Section } from '../../ui/Section.tsx'
import { type Offer, useOffers } from './use-offers.ts'

interface AllowedToolsProps {
  tool: McpTool
  /** Null for all tools that the server offers. */
  allow: string[] | null
  onChange: (allow: string[] | null) => void
}

/** The tools that a server offers, and those that the model may call. */
export function AllowedTools({ tool, allow, onChange }: AllowedToolsProps) {
  const { t } = useTranslation()
  const asked = useOffers(tool)
  const mayManage = useRight('manage')
  const offers = asked.data?.offers ?? []
  const usable = offers.filter(({ problem }) => problem === null).map(({ name }) => name)
  // Allowed names stay in view when the server does not offer them, or cannot be reached.
  const missing = (allow ?? []).filter((name) => !offers.some((offer) => offer.name === name))
  const toggle = (name: string, isOn: boolean) =>
    onChange([...(allow ?? []).filter((other) => other !== name), ...(isOn ? [name] : [])])
  return (
    <Section title={t('tools.offered')} lead={t('tools.offeredHint')}>
      <Switch
        label={t('tools.allowAll')}
        description={t('tools.allowAllHint')}
        checked={allow === null}
        disabled={allow === null && asked.data?.status !== 'ok'}
        onChange={(event) => onChange(event.currentTarget.checked ? null : usable)}
      />
      {mayManage ? <Asked asked={asked} /> : null}
      <Stack
        gap="md"
        component="ul"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        aria-label={t('tools.offered')}
      >
        {offers.map((offer) => (
          <li key={offer.name}>
            <Offered
              offer={offer}
              isAllowed={allow?.includes(offer.name) ?? null}
              onChange={(isOn) => toggle(offer.name, isOn)}
            />
          </li>
        ))}
        {missing.map((name) => (
          <li key={name}>
            <Switch
              label={<Name name={name} />}
              description={asked.data?.status === 'ok' ? t('tools.notOffered') : undefined}
              checked
              onChange={() => toggle(name, false)}
            />
          </li>
        ))}
      </Stack>
    </Section>
  )
}

/** The result of asking the server. */
function Asked({ asked }: { asked: ReturnType<typeof useOffers> }) {
  const { t } = useTranslation()
  const again = () => void asked.refetch()
  if (asked.isError) return <Failure error={asked.error} onRetry={again} />
  if (!asked.data) return <Waiting />
  return (
    <Group gap="xs" justify="space-between">
      <Said tried={asked.data} />
      <Button variant="default" size="xs" loading={asked.isFetching} onClick={again}>
        {t('tools.askAgain')}
      </Button>
    </Group>
  )
}

function Said({ tried: { status, result, offers = [] } }: { tried: TriedTool }) {
  const { t } = useTranslation()
  if (status === 'ok') return <Text c="dimmed">{t('tools.offers', { count: offers.length })}</Text>
  return (
    <Group gap="xs" role="status">
      <Mark tone="red">{t('tools.notAsked')}</Mark>
      <Text className="foreign">{result}</Text>
    </Group>
  )
}

interface OfferedProps {
  offer: Offer
  /** Null if all are allowed, so that no single one can be switched. */
  isAllowed: boolean | null
  onChange: (isOn: boolean) => void
}

function Offered({ offer, isAllowed, onChange }: OfferedProps) {
  const { name, description, problem } = offer
  // The description of a tool without one is its name.
  const said = description === name ? null : <span className="foreign">{description}</span>
  return (
    <Stack gap={4}>
      {isAllowed === null ? (
        <div>
          <Name name={name} />
          {said ? (
            <Text c="dimmed" size="xs">
              {said}
            </Text>
          ) : null}
        </div>
      ) : (
        <Switch
          label={<Name name={name} />}
          description={said}
          checked={isAllowed && problem === null}
          disabled={problem !== null}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
      <HowCalled offer={offer} indent={isAllowed === null ? 0 : 50} />
    </Stack>
  )
}

function HowCalled({ offer: { called, idempotent, problem }, indent }: { offer: Offer; indent: number }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" pl={indent}>
      {problem === null ? (
        <>
          <Text c="dimmed" size="xs">
            {t('tools.calledAs')}{' '}
            <Code fz="xs" lh="xs">
              {called}
            </Code>
          </Text>
          {idempotent ? <Mark tone="grey">{t('tools.idempotent')}</Mark> : null}
        </>
      ) : (
        <>
          <Mark tone="red">{t('tools.unusable')}</Mark>
          <Text c="dimmed" size="xs" className="foreign">
            {problem}
          </Text>
        </>
      )}
    </Group>
  )
}

function Name({ name }: { name: string }) {
  return (
    <span className="foreign" style={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
      {name}
    </span>
  )
}
