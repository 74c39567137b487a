/** Returns the choices of a field; one that was chosen and has no name any more is shown by its number. */
export function namedIds(all: readonly { id: number; name: string }[], chosen: readonly string[]) {
  const known = all.map(({ id, name }) => ({ value: String(id), label: name }))
  const others = chosen.filter((id) => !known.some(({ value }) => value === id))
  return [...known, ...others.map((value) => ({ value, label: `#${value}` }))]
}
