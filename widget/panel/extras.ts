import type { Extra, ExtraOptions } from './extra.ts'
import type { Session } from './protocol.ts'

/** Loads the parts that a widget has, each from a file of its own. */
export function addExtras(options: ExtraOptions, { uploads = 'off', mail }: Session['widget']): Extra {
  const extras: Extra[] = []
  const add = (extra: Promise<Extra>) =>
    void extra.then(
      (extra) => extras.push(extra),
      () => {},
    )
  if (uploads !== 'off')
    add(import('./Uploads.tsx').then(({ takeUploads }) => takeUploads(options, uploads === 'images')))
  if (mail) add(import('./LeaveAddress.tsx').then(({ leaveAddress }) => leaveAddress(options)))
  return {
    clear: () => each((extra) => extra.clear()),
    translate: async () => each((extra) => void extra.translate()),
    drawn: () => each((extra) => extra.drawn()),
  }

  function each(act: (extra: Extra) => void): void {
    for (const extra of extras) act(extra)
  }
}
