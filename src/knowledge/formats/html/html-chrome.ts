/** Elements that are no content: scripts, styles, controls, struck text, and what every page of a site repeats. */
const CHROME = new Set(
  'script style title noscript template svg nav footer aside iframe head button select textarea dialog object canvas audio video map del s strike'.split(
    ' ',
  ),
)
const CHROME_ROLES = new Set(
  'navigation banner contentinfo search dialog alertdialog menu menubar complementary'.split(' '),
)
/** Classes of the `aside` elements in which some site generators put notes within a text. */
const NOTE = /(?:^|[\s_-])(?:admonition|callout|starlight-aside|note|tip|warning|caution)(?:[\s_-]|$)/i

/**
 * Tells whether an element of a page surrounds its content and is no part of it.
 * @param isContent true within `main` or `article`, where a `header` has the title of the text
 */
export function isChrome(name: string, attributes: Record<string, string>, isContent: boolean): boolean {
  if (name === 'header') return !isContent
  if (name === 'aside' && isContent && NOTE.test(attributes.class ?? '')) return false
  if (/text-decoration[^;]{0,100}line-through/i.test(attributes.style ?? '')) return true
  return CHROME.has(name) || CHROME_ROLES.has((attributes.role ?? '').toLowerCase())
}

/** Tells whether an element is hidden. One that the browser's search opens (`until-found`) is content. */
export function isHidden(attributes: Record<string, string>): boolean {
  return (
    ('hidden' in attributes && attributes.hidden !== 'until-found') ||
    attributes['aria-hidden'] === 'true' ||
    /display:\s*none/i.test(attributes.style ?? '')
  )
}

/** Tells whether an element is a drawing that stands for a picture. */
export function isDrawing(name: string, attributes: Record<string, string>): boolean {
  return name === 'svg' && attributes.role === 'img' && !isHidden(attributes)
}

/** Tells whether a hidden element is one of several that readers choose from. */
export function isOpenable({ role = '' }: Record<string, string>): boolean {
  return role.toLowerCase() === 'tabpanel'
}

/** Tells whether an element is a tab that names its panel: by the panel's id, or by its own id, which the panel has. */
export function isTab(attributes: Record<string, string>): boolean {
  if (attributes.role?.toLowerCase() !== 'tab' && !/^(?:tab|pill)$/.test(toggleOf(attributes))) return false
  return controlledBy(attributes).length > 0 || (attributes.id ?? '') !== ''
}

/** Returns the ids of the panels that a control opens and closes. A control of a menu has none. */
export function controlledBy(attributes: Record<string, string>): string[] {
  const isControl =
    'aria-expanded' in attributes ||
    attributes.role?.toLowerCase() === 'tab' ||
    /^(?:collapse|tab|pill)$/.test(toggleOf(attributes))
  if (!isControl || 'aria-haspopup' in attributes) return []
  const { 'data-bs-target': target = attributes['data-target'], href = '' } = attributes
  const ids = attributes['aria-controls'] || (target ?? href).match(/^#(\S+)$/)?.[1] || ''
  return ids.split(/\s+/, 10).filter((id) => id !== '')
}

/** Returns how Bootstrap shows the panel of a control. */
function toggleOf(attributes: Record<string, string>): string {
  return attributes['data-bs-toggle'] ?? attributes['data-toggle'] ?? ''
}
