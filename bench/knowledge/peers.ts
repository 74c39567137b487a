import { fileURLToPath } from 'node:url'

/** The folder of the packages that the knowledge benches compare with, or take their texts from. */
export const PEERS = fileURLToPath(new URL('../.peers/knowledge/', import.meta.url))
