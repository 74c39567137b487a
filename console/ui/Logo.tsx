import { Group, Text } from '@mantine/core'
import icon from '../icon.svg'

export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={icon} alt="" width={24} height={24} />
      <Text fw={600} size="lg">
        Parley
      </Text>
    </Group>
  )
}
