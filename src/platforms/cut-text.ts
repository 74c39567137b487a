import type { ChannelSettings, Platform } from './platform.ts'

// Stands in until the real one is there.
export function cutText(text: string, _limit: Platform<ChannelSettings>['textLimit']): string[] {
  return text === '' ? [] : [text]
}
