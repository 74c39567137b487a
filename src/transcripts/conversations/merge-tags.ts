type Tags = Readonly<Record<string, unknown>>

/** Merges tags. @param present JSON of the tags of a conversation that is locked */
export function mergeTags(present: string | null, added: Tags): Tags {
  return { ...(present === null ? {} : (JSON.parse(present) as Tags)), ...added }
}
