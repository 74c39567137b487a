import { ActionIcon, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CheckIcon, CopyIcon } from './icons.tsx'

interface CopyTextProps {
  /** The text that is copied. */
  value: string
  label: string
}

/** A text to take elsewhere, with a button that copies it. */
export function CopyText({ value, label }: CopyTextProps) {
  const { t } = useTranslation()
  return (
    <div>
      <Text size="xs" fw={500} mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block className="foreign" flex={1} tabIndex={0} aria-label={label}>
          {value}
        </Code>
        <CopyButton value={value} timeout={2000}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('common.copied') : t('common.copy')}>
              <ActionIcon
                variant="default"
                size={32}
                onClick={copy}
                aria-label={`${t('common.copy')}: ${label}`}
              >
                {copied ? <CheckIcon /> : <CopyIcon />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
