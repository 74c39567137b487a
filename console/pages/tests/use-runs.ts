import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../api/session.ts'
import type { List, TestRun } from '../../api/types.ts'

/** How often a run that is under way is looked at. */
export const LOOK_EVERY_MS = 1000

export function isUnderWay({ status }: Pick<TestRun, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** The runs of a dataset, newest first: at most fifty are kept. */
export function useRuns(datasetId: number) {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('datasets', `${datasetId}`, 'runs'),
    queryFn: async ({ signal }) =>
      (await api.get<List<TestRun>>('/runs', { dataset_id: datasetId, per_page: 50 }, signal)).data,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_EVERY_MS : false),
  })
}
