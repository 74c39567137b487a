/** Returns 128 random bits as text. Unlike `crypto.randomUUID`, it also works on pages that are served without HTTPS. */
export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
