import type { TeamHttp } from '../lib/outbound/outbound.ts'

/** The client with which adapters call their platform. */
export type PlatformHttp = Pick<TeamHttp, 'request' | 'addressOf'>
