/**
 * Returns a command as users type it.
 * @param module a file of Parley: a clone runs TypeScript, the npm package compiled files
 * @param program the program as it was called: `parley` of a container or of the machine stands on the search path, that
 *   of a project's packages does not
 */
export function typed(
  command: string,
  module: string = import.meta.url,
  program: string = process.argv[1] ?? '',
): string {
  if (module.endsWith('.ts')) return `npm run -s parley -- ${command}`
  const isOnPath = program.endsWith('/bin/parley')
  return `${isOnPath ? 'parley' : 'npx parley'} ${command}`
}
