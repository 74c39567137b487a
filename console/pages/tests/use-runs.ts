import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../api/session.ts'
import type { TestRun } from '../../api/types.ts'

/** The pause between two readings of a run under way. */
export const LOOK_EVERY_MS = 1000

export function isUnderWay({ status }: Pick<TestRun, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** Returns the runs of a dataset, newest first; the service keeps at most fifty. */
export function useRuns(datasetId: number) {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('datasets', `${datasetId}`, 'runs'),
    queryFn: async ({ signal }) =>
      (await api.get('/runs', { dataset_id: datasetId, per_page: 50 }, signal)).data,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_EVERY_MS : false),
  })
}
