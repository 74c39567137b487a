import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Warns that the same draft was changed on another device of this person. */
export function Elsewhere({ text, onSettled }: { text: string; onSettled: (takeOther: boolean) => void }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" role="status" className="foreign">
      <Text size="secondary" lineClamp={2} flex="1 1 200px">
        {t('inbox.draftElsewhere', { text })}
      </Text>
      <Button variant="default" size="compact-sm" onClick={() => onSettled(true)}>
        {t('inbox.takeOther')}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => onSettled(false)}>
        {t('inbox.keepThis')}
      </Button>
    </Group>
  )
}
