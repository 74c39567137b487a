/** Returns a media type as people name it, such as `PDF`; null for one that tells them nothing. */
export function shortType(type: string): string | null {
  const name = type.split('/')[1]?.replace(/^x-/, '') ?? ''
  return /^[\w-]{2,8}$/.test(name) ? name.toUpperCase() : null
}
