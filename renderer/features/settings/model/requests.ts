import { useQuery } from '@tanstack/react-query'
import type { CreateSnapshotRequest } from '../../../../server/contract/control-sandbox.ts'
import { callApi, callUntil } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/query.ts'

export function useKeys() {
  return useRead('GET keys')
}

export function useRotateKey() {
  return useWrite({
    call: (body: { keepOld: boolean }) => callApi('POST keys/rotate', { body }),
    changes: ['keys'],
    done: 'Signing key rotated',
    failed: 'Could not rotate the key',
  })
}

export function useSnapshots() {
  return useRead('GET snapshots')
}

/** Compares with the current state, which nearly every fact changes, so it is reloaded on each visit. */
export function useSnapshotComparison(name: string) {
  return useQuery({
    queryKey: ['snapshots', `${name}/comparison`],
    queryFn: ({ signal }) =>
      callUntil(signal)('GET snapshots/:name/comparison', { params: { name } }),
    gcTime: 0,
  })
}

export function useCreateSnapshot() {
  return useWrite({
    call: (body: CreateSnapshotRequest) => callApi('POST snapshots', { body }),
    changes: ['snapshots'],
    done: 'Snapshot saved',
  })
}

export function useRestoreSnapshot() {
  return useWrite({
    call: (name: string) => callApi('POST snapshots/:name/restore', { params: { name } }),
    changes: ['snapshots'],
    done: 'Snapshot restored',
    failed: 'Could not restore the snapshot',
  })
}

export function useDeleteSnapshot() {
  return useWrite({
    call: (name: string) => callApi('DELETE snapshots/:name', { params: { name } }),
    changes: ['snapshots'],
    failed: 'Could not delete the snapshot',
  })
}

/** Compares with the current state, so it is reloaded each time that the question is asked. */
export function useResetComparison() {
  return useQuery({
    queryKey: ['reset-comparison'],
    queryFn: ({ signal }) => callUntil(signal)('GET reset/comparison'),
    gcTime: 0,
  })
}

export function useReset() {
  return useWrite({
    call: () => callApi('POST reset'),
    changes: [],
    done: 'Reset to the fixtures',
    failed: 'Could not reset the sandbox',
  })
}
