import type { IgnoreAdviceRequest } from '../../../../server/contract/control-advice.ts'
import { callApi } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/query.ts'

export function useRules() {
  return useRead('GET advice/rules')
}

/** Modules of all audits. */
export function useModules() {
  return useRead('GET audits/modules')
}

export function useIgnore() {
  return useWrite({
    call: (body: IgnoreAdviceRequest) => callApi('POST advice/ignores', { body }),
    changes: ['advice'],
    done: 'Finding ignored',
  })
}

export function useRemoveIgnore() {
  return useWrite({
    call: (id: string) => callApi('DELETE advice/ignores/:id', { params: { id } }),
    changes: ['advice'],
    failed: 'Could not delete the ignore',
  })
}
