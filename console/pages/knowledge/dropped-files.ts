/** A file with the path of the folders that it came in. */
export interface NamedFile {
  path: string
  file: File
}

/** Returns all files of a drop, with those in folders at any depth. */
export async function filesOf(dropped: DataTransfer): Promise<NamedFile[]> {
  // The browser empties the list as soon as this function waits for anything.
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...dropped.files].map((file) => ({ path: file.name, file }))
  return (await Promise.all(entries.map(filesBelow))).flat()
}

async function filesBelow(entry: FileSystemEntry): Promise<NamedFile[]> {
  // Hidden files belong to editors and systems.
  if (entry.name.startsWith('.')) return []
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  const found: NamedFile[] = []
  const reader = entry.createReader()
  for (;;) {
    // A browser returns at most a hundred entries at once.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return found
    found.push(...(await Promise.all(entries.map(filesBelow))).flat())
  }
}
