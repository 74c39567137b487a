export function detectLanguage(_text: string): string | null {
  return null
}
