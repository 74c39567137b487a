import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../api/session.ts'

/** Reads the macros that the signed-in person has. */
export function useMacros() {
  const { api, key } = useAgent()
  return useQuery({ queryKey: key('macros'), queryFn: async () => (await api.get('/macros')).data })
}
