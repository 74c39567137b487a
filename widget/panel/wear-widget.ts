import type { Look } from '../launcher/settings.ts'
import type { Extra, ExtraOptions } from './extra.ts'
import type { Session } from './protocol.ts'
import { showAvatar } from './show-avatar.ts'

/** Gives a chat the look and the parts of its widget, as each session has them. */
export function wearWidget(options: ExtraOptions, onLook: (look: Look) => void) {
  let look: Look | null = null
  let extras: Extra | null = null
  return {
    get extras(): Extra | null {
      return extras
    },
    wear({ widget, agent }: Session): void {
      if (widget.look === look) return
      look = widget.look
      onLook(look)
      showAvatar(options.frame.avatar, look, agent.name)
      const { uploads = 'off', mail } = widget
      if (mail || uploads !== 'off') void load(widget)
    },
  }

  /** Loads what only some widgets have. */
  async function load(widget: Session['widget']): Promise<void> {
    const { addExtras } = await import('./extras.ts')
    extras ??= addExtras(options, widget)
  }
}
